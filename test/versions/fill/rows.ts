/** Categories, products, orders, files, settings, and commands with an idempotency key. */
import type { Client } from '../../support/client.ts'
import type { Expected, Replay } from '../expected.ts'
import { addEntities } from './entities.ts'
import { type Caller, done, type Version } from './version.ts'

export interface FilledRows {
  numbered: Expected['numbered']
  files: Expected['files']
  replays: Replay[]
}

const price = 99_999_999_999.9999
const document = '%PDF-1.4\nTäglich 🥐\n%%EOF\n'

export async function addRows(version: Version, admin: Caller, worker: Caller): Promise<FilledRows> {
  const { client, person } = worker
  const { tenantId, userName } = person
  const who = { tenantId, userName }
  const category = await done(client.post('/api/categories', { name: 'Täglich 🥐' }))
  for (const name of ["O'Neil; DROP", 'Straße']) await done(client.post('/api/categories', { name }))
  const product = await done(
    client.post('/api/products', {
      name: 'STRASSE',
      description: 'line\nline\u2028 “quoted” 👩‍👧',
      price: 0.0001,
      categoryId: category.id,
    }),
  )
  await done(client.post('/api/products', { name: 'Dear', price, isActive: false }))
  const changed = await done(client.post('/api/products', { name: 'Changed', price: 3 }))
  await done(client.put(`/api/products/${changed.id}`, { name: 'Changed again', price: 3.5 }))
  const removed = await done(client.post('/api/products', { name: 'Removed', price: 3 }))
  await done(client.delete(`/api/products/${removed.id}`))
  const lastNumber = await addOrders(client, product.id)
  const next = { customerId: 'customer-8', items: [{ productId: product.id, quantity: 1 }] }
  if (version.has('PUT /api/tenant/settings'))
    await done(admin.client.put('/api/tenant/settings', { brandName: `The ${tenantId}`, locale: 'de-CH' }))
  const replays = [
    await repeatable(worker, '/api/products', { name: 'Once', price: 1.25 }),
    await repeatable(worker, '/api/categories', { name: 'Once' }),
    await repeatable(worker, '/api/categories', { name: 'Once' }, 'refused'),
  ]
  const files = await addFile(version, worker)
  const numbered = [
    { ...who, path: '/api/orders', lastNumber, body: next },
    ...(await addEntities(version, admin, files[0]?.id ?? '')),
  ]
  return { numbered, files, replays }
}

/** @returns the number of the last one */
async function addOrders(client: Client, productId: string): Promise<number> {
  const place = (quantity: number) =>
    done(client.post('/api/orders', { customerId: 'customer-7', items: [{ productId, quantity }] }))
  const [paid, cancelled, pending] = [await place(2), await place(3), await place(10_000)]
  await done(client.post(`/api/orders/${paid.id}/pay`))
  await done(client.post(`/api/orders/${cancelled.id}/cancel`))
  return pending.number
}

/** The answer may be a refusal. */
async function repeatable(
  { client, person: { tenantId, userName } }: Caller,
  path: string,
  body: object,
  name = 'once',
): Promise<Replay> {
  const [key, request] = [`${name}-${path}`, JSON.stringify(body)]
  const { status, text: answer } = await client.post(path, request, { 'idempotency-key': key })
  return { tenantId, userName, path, key, request, status, answer }
}

async function addFile(version: Version, { client, person }: Caller): Promise<Expected['files']> {
  if (!version.has('POST /api/files')) return []
  const { tenantId, userName } = person
  const bytes = Buffer.from(document)
  const { id } = await done(
    client.post('/api/files?name=a.pdf', bytes, { 'content-type': 'application/pdf' }),
  )
  return [{ tenantId, userName, id, content: document }]
}
