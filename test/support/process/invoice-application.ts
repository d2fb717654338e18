/** The invoice application of `examples` in a folder of its own, and what its users do. */
import assert from 'node:assert/strict'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '../client.ts'
import { pdf } from '../files/contents.ts'
import { password, person } from '../service.ts'
import { createAdmin } from './administrator.ts'
import { project } from './workplace.ts'

export const invoiceFolder = join(project, 'examples/invoice')

/** @param from what its files import instead of the sources, `tenantry` for the package */
export function copyInvoiceApplication(folder: string, from: string): void {
  rmSync(join(folder, 'migrations'), { recursive: true, force: true })
  cpSync(invoiceFolder, folder, { recursive: true })
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.ts'))) {
    const path = join(folder, name)
    const text = readFileSync(path, 'utf8')
    writeFileSync(
      path,
      text.replaceAll("'../../src/index.ts'", `'${from}'`).replace('../../src/testing.ts', `${from}/testing`),
    )
  }
}

/** The tenant acme, with a user, an invoice and its document. */
export interface Acme {
  signIn(url: string): Promise<Client>
  invoice: Record<string, unknown>
  /** Fails unless acme has its invoice and the content of its document. */
  assertWhole(user: Client): Promise<void>
}

/** Creates the tenant acme, and an invoice with its document. @param url of a fresh service */
export async function createAcme(url: string): Promise<Acme & { url: string; host: Client }> {
  const anonymous = new Client(url)
  const { accessToken } = await createAdmin({ anonymous })
  const host = anonymous.withToken(accessToken)
  const made = await host.post('/api/tenants', { id: 'acme', name: 'Acme', admin: person('ada') })
  assert.equal(made.status, 201)
  const ada = await signIn(url)
  const customer = await ada.post('/api/customers', { name: 'Nordic Timber' })
  const lines = [{ text: 'Desk', quantity: 2, price: 49.9 }]
  const { status, body: invoice } = await ada.post('/api/invoices', { customerId: customer.body.id, lines })
  assert.deepEqual([status, invoice.total], [201, 99.8])
  // An error class of the features is one that the service knows: this is no 500.
  assert.equal((await ada.post('/api/invoices', { customerId: invoice.id, lines })).status, 400)
  const sent = await ada.send('POST', '/api/files?name=1.pdf', pdf(), { 'content-type': 'application/pdf' })
  const kept = await ada.post('/api/invoice-documents', { invoiceId: invoice.id, pdfId: sent.body.id })
  assert.equal(kept.status, 201, kept.text)
  const assertWhole = async (user: Client): Promise<void> => {
    assert.deepEqual((await user.get(`/api/invoices/${invoice.id}`)).body, invoice)
    assert.deepEqual((await user.get(`/api/invoices/${invoice.id}/label`)).body, { label: 'INV-1' })
    const { headers } = user
    const content = await fetch(`${user.baseUrl}/api/files/${sent.body.id}`, { headers })
    assert.deepEqual([content.status, await content.text()], [200, pdf().toString()])
  }
  return { url, host, invoice, signIn, assertWhole }
}

async function signIn(url: string): Promise<Client> {
  const anonymous = new Client(url)
  const credentials = { userName: 'ada', password }
  const { body } = await anonymous.post('/api/auth/login', credentials, { 'x-tenant-id': 'acme' })
  return anonymous.withToken(body.accessToken)
}
