/** Rows of the entities of the invoice application of `examples`, where it is served. */
import type { Expected } from '../expected.ts'
import { type Caller, done, type Version } from './version.ts'

/** @param fileId of a PDF @returns what the next invoice is made of, if there are invoices */
export async function addEntities(
  version: Version,
  { client, person: { tenantId, userName } }: Caller,
  fileId: string,
): Promise<Expected['numbered']> {
  if (!version.has('POST /api/invoices')) return []
  const customer = await done(client.post('/api/customers', { name: 'Größe & Söhne', email: 'a@b.example' }))
  const lines = [
    { text: 'Desk', quantity: 2, price: 49.9 },
    { text: 'Täglich 🥐', quantity: 1000, price: 0.0001 },
  ]
  const body = { customerId: customer.id, lines, note: 'line\nline' }
  const [sent, paid, voided, draft] = [
    await done(client.post('/api/invoices', body)),
    await done(client.post('/api/invoices', body)),
    await done(client.post('/api/invoices', body)),
    await done(client.post('/api/invoices', body)),
  ]
  for (const { id } of [sent, paid]) await done(client.post(`/api/invoices/${id}/send`))
  await done(client.post(`/api/invoices/${paid.id}/pay`))
  await done(client.post(`/api/invoices/${voided.id}/void`))
  await done(client.post('/api/invoice-documents', { invoiceId: sent.id, pdfId: fileId }))
  return [{ tenantId, userName, path: '/api/invoices', lastNumber: draft.number, body }]
}
