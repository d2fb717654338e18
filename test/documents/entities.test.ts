/** The examples of the page on entities do what the page says. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { Webhook } from 'standardwebhooks'
import type { Entity } from '../../src/entity/entity.ts'
import type { Feature } from '../../src/index.ts'
import { entry } from '../database/schema/application.ts'
import { migrated } from '../entity/migrated.ts'
import type { Client } from '../support/client.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { assertError } from '../support/error.ts'
import { executable, Workplace } from '../support/process/workplace.ts'
import { startService, type TestService, type TestTenant } from '../support/service.ts'
import { subscribe } from '../support/webhooks/delivery-scene.ts'
import { addRule, receipt, received, secret, setProvider } from '../support/webhooks/provider.ts'
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts'
import { fencedBlocks, readDocument, root } from './markdown.ts'

const page = readDocument('docs/entities.md')
const blocks = fencedBlocks(page)

/** The most that the usual case may take. */
const maxLines = 31

describe('The page on entities', () => {
  it('defines an invoice, with all that follows from it, in one file of few lines', () => {
    const lines = shownFile('invoice.ts')
      .split('\n')
      .filter((line) => line !== '')
    assert.ok(lines.length <= maxLines, `${lines.length} lines`)
  })

  it('shows commands that make the tables and start the service', async () => {
    await using place = new Workplace({ MASTER_KEY: Buffer.alloc(32).toString('base64') })
    for (const name of ['customer.ts', 'invoice.ts', 'tenantry.config.ts'])
      writeFileSync(join(place.folder, name), shownFile(name).replace("'tenantry'", `'${entry}'`))
    const [diff = '', start = ''] = blocks.find(({ language }) => language === 'sh')?.text.split('\n') ?? []
    const { code, stderr } = await place.run(diff.split(' ').slice(2))
    assert.equal(code, 0, stderr)
    assert.equal(readdirSync(join(place.folder, 'migrations')).length, 2)
    const service = await place.serve({}, [process.execPath, executable, ...start.split(' ').slice(2)])
    assert.equal((await service.anonymous.get('/api/invoices')).status, 401)
  })
})

onEitherDatabase('The examples of the page on entities', (database) => {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-page-'))
  let service: TestService
  let tenant: TestTenant
  let user: Client
  let receiver: Receiver
  before(async () => {
    const { customer, invoice, payments, bill } = await importShown(folder)
    const features = [...migrated([customer, invoice, bill]), payments]
    service = await startService(database, {}, { features })
    tenant = await service.newTenant()
    user = tenant.user
    receiver = await startReceiver((response) => response.end())
    await subscribe(user, receiver, { events: ['invoice.*'], secret })
  })
  after(async () => {
    await receiver.close()
    await service.stop()
    rmSync(folder, { recursive: true })
  })

  /** Verified, the oldest first. */
  const sent = async () => {
    await service.service.queueWorkers.drain()
    return receiver.requests.splice(0).map(({ body, headers }) => {
      new Webhook(secret).verify(body, headers as Record<string, string>) // each stands once
      return JSON.parse(body)
    })
  }

  const newInvoice = async (): Promise<string> => {
    const customer = await user.post('/api/customers', { name: `Customer ${crypto.randomUUID()}` })
    const lines = [{ text: 'Desk', quantity: 3, price: 0.1 }]
    const made = await user.post('/api/invoices', { customerId: customer.body.id, lines })
    assert.equal(made.status, 201, made.text)
    return made.body.id
  }

  it('act on a row in its state, for those who may, and undo what a hook refuses', async () => {
    const path = `/api/bills/${(await user.post('/api/bills', {})).body.id}`
    assert.equal((await user.post(`${path}/send`)).body.status, 'sent')
    assertError(await user.delete(path), 400, 'Only a draft can be deleted.')
    assertError(await user.post(`${path}/void`), 403)
    assert.equal((await tenant.admin.post(`${path}/void`)).body.status, 'void')
    assert.equal((await user.get(path)).body.status, 'void')
    const { body: draft } = await user.post('/api/bills', {})
    assert.equal((await user.delete(`/api/bills/${draft.id}`)).status, 204)
  })

  it('send the events of an invoice, signed, with its members', async () => {
    const id = await newInvoice()
    await user.patch(`/api/invoices/${id}`, { note: 'x' })
    await user.post(`/api/invoices/${id}/send`)
    const events = await sent()
    assert.deepEqual(
      events.map(({ type, data }) => [type, data.invoiceId, data.total, data.status, data.note]),
      [
        ['invoice.created', id, 0.3, 'draft', null],
        ['invoice.updated', id, 0.3, 'draft', 'x'],
        ['invoice.sent', id, 0.3, 'sent', 'x'],
      ],
    )
  })

  it('pay an invoice when a provider says so, once, and not one of another tenant', async () => {
    await setProvider(tenant.admin)
    await addRule(user, 'invoice.pay')
    const id = await newInvoice()
    await user.post(`/api/invoices/${id}/send`)
    await sent()
    const paid = { id: 'evt_1', type: 'payment.succeeded', data: { invoiceId: id } }
    for (let time = 0; time < 2; time++) await received(service, tenant, paid)
    assert.equal((await user.get(`/api/invoices/${id}`)).body.status, 'paid')
    assert.deepEqual(
      (await sent()).map(({ type }) => type),
      ['invoice.paid'],
    )

    const other = await service.newTenant()
    await setProvider(other.admin)
    await addRule(other.user, 'invoice.pay')
    const again = await newInvoice()
    await user.post(`/api/invoices/${again}/send`)
    const foreign = { ...paid, id: 'evt_2', data: { invoiceId: again } }
    const { runs } = await receipt(other.user, await received(service, other, foreign))
    assert.match(JSON.stringify(runs), /There is no such invoice/)
    assert.equal((await user.get(`/api/invoices/${again}`)).body.status, 'sent')
  })
})

/** The block after the name of the file. */
function shownFile(name: string): string {
  const [, text] = new RegExp(`^\`${name}\`:\n\n\`\`\`ts\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page) ?? []
  assert.ok(text, name)
  return text
}

/** The block that begins so; a part of a definition. */
function shownPart(beginning: string): string {
  const found = blocks.filter(({ text }) => text.startsWith(beginning))
  assert.equal(found.length, 1, beginning)
  return found[0]?.text.trimEnd() ?? ''
}

interface Shown {
  customer: Entity
  invoice: Entity
  bill: Entity
  payments: Feature
}

/** The files of the page, and one entity that is made of its parts. */
async function importShown(folder: string): Promise<Shown> {
  const bill = `import { entity, oneOf, ServiceError } from 'tenantry'

export const bill = entity('bill', {
  fields: { status: oneOf('draft', 'sent', 'void').default('draft').readOnly() },
  ${shownPart('actions: {')},
  ${shownPart('hooks: {')},
})
`
  const files = { 'bill.ts': bill, ...shownFiles('customer.ts', 'invoice.ts', 'payments.ts') }
  mkdirSync(folder, { recursive: true })
  const shown = {}
  for (const [name, text] of Object.entries(files)) {
    const imported = text
      .replace("'tenantry'", `'${pathToFileURL(join(root, 'src/index.ts'))}'`)
      .replace("'typebox'", `'${import.meta.resolve('typebox')}'`)
    writeFileSync(join(folder, name), imported)
  }
  for (const name of Object.keys(files))
    Object.assign(shown, await import(pathToFileURL(join(folder, name)).href))
  return shown as Shown // what they export
}

function shownFiles(...names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, shownFile(name)]))
}
