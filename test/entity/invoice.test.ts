/** The invoice of `examples`, from the outside: REST, GraphQL, events, audit, tenants. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { customer } from '../../examples/invoice/customer.ts'
import { invoice } from '../../examples/invoice/invoice.ts'
import { invoicePrefix } from '../../examples/invoice/prefix.ts'
import type { Answer, Client } from '../support/client.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { assertError } from '../support/error.ts'
import { eventsOf } from '../support/orders.ts'
import { startService, type TestService, type TestTenant } from '../support/service.ts'
import { migrated } from './migrated.ts'

describe('The definition of the invoice', () => {
  it('is one file of 31 lines', () => {
    const text = readFileSync(new URL('../../examples/invoice/invoice.ts', import.meta.url), 'utf8')
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    assert.ok(lines.length <= 31, `${lines.length} lines that are not empty`)
  })
})

onEitherDatabase('The invoice of the examples', (database) => {
  let service: TestService
  let tenant: TestTenant
  let user: Client
  let customerId: string
  before(async () => {
    service = await startService(
      database,
      {},
      { features: [...migrated([customer, invoice]), invoicePrefix] },
    )
    tenant = await service.newTenant()
    user = tenant.user
    customerId = (await made(user.post('/api/customers', { name: 'Öko Haus' }))).id
  })
  after(() => service.stop())

  const draft = (members: object = {}) => ({
    customerId,
    lines: [
      { text: 'Desk', quantity: 2, price: 0.1 },
      { text: 'Lamp', quantity: 1, price: 0.2 },
    ],
    ...members,
  })
  const newInvoice = (members: object = {}, headers: Record<string, string> = {}) =>
    made(user.post('/api/invoices', draft(members), headers))

  it('is created with defaults, a number and an exact total', async () => {
    const { number, total, status, note, lines, id, createdAt, updatedAt, ...rest } = await newInvoice()
    assert.deepEqual(
      { total, status, note, lines },
      { total: 0.4, status: 'draft', note: null, lines: draft().lines },
    )
    assert.ok(number >= 1)
    assert.deepEqual(rest, { customerId })
    assert.equal(createdAt, updatedAt)
    assert.deepEqual((await user.get(`/api/invoices/${id}`)).body, {
      id,
      number,
      customerId,
      total,
      status,
      note,
      lines,
      createdAt,
      updatedAt,
    })
  })

  it('has no blanks around the texts of its lines', async () => {
    const { lines } = await newInvoice({ lines: [{ text: '  Desk ', quantity: 1, price: 1, more: true }] })
    assert.deepEqual(lines, [{ text: 'Desk', quantity: 1, price: 1 }])
    assertError(
      await user.post('/api/invoices', draft({ lines: [{ text: '  ', quantity: 1, price: 1 }] })),
      400,
      /^lines\.0\.text: /,
    )
  })

  it('has a number with the prefix of the tenant', async () => {
    const { id, number } = await newInvoice()
    const path = `/api/invoices/${id}/label`
    assert.deepEqual((await user.get(path)).body, { label: `INV-${number}` })
    assert.equal((await tenant.admin.put('/api/tenant/settings', { invoicePrefix: 'RE-' })).status, 200)
    assert.deepEqual((await user.get(path)).body, { label: `RE-${number}` })
    const other = await service.newTenant()
    assertError(await other.user.get(path), 404, 'There is no such invoice.')
  })

  it('ignores members that callers cannot set', async () => {
    const { status, total, number } = await newInvoice({ status: 'paid', total: 99, number: 99 })
    assert.deepEqual([status, total], ['draft', 0.4])
    assert.notEqual(number, 99)
  })

  it('is changed, replaced and deleted under its conditions', async () => {
    const { id } = await newInvoice({ note: 'first' })
    const path = `/api/invoices/${id}`
    const tag = (await user.get(path)).headers.get('etag') ?? ''
    assert.equal((await user.patch(path, { note: 'second' }, { 'if-match': '"v9"' })).status, 412)
    const changed = await user.patch(path, { note: 'second' }, { 'if-match': tag })
    assert.deepEqual([changed.status, changed.body.note, changed.body.lines], [200, 'second', draft().lines])
    assert.notEqual(changed.headers.get('etag'), tag)
    const lines = [{ text: 'Chair', quantity: 3, price: 9.99 }]
    const replaced = await user.put(path, { customerId, lines })
    assert.deepEqual([replaced.body.note, replaced.body.total, replaced.body.lines], [null, 29.97, lines])
    assert.equal((await user.delete(path, { 'if-match': tag })).status, 412)
    assert.equal((await user.delete(path)).status, 204)
    assertError(await user.get(path), 404, 'There is no such invoice.')
  })

  it('is created once for an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const first = await newInvoice({}, headers)
    assert.deepEqual(await newInvoice({}, headers), first)
  })

  it('goes from state to state by its actions alone', async () => {
    const { id } = await newInvoice()
    const path = `/api/invoices/${id}`
    assertError(
      await user.post(`${path}/pay`),
      400,
      'The invoice is draft and cannot be paid: it must be sent.',
    )
    assert.equal((await user.post(`${path}/send`)).body.status, 'sent')
    assertError(await user.post(`${path}/send`), 400, /it must be draft/)
    assert.equal((await user.post(`${path}/void`)).status, 403)
    assert.equal((await tenant.admin.post(`${path}/void`)).body.status, 'void')
    assertError(await user.post(`/api/invoices/${crypto.randomUUID()}/send`), 404)
  })

  it('refuses what its definition does not allow, naming the member', async () => {
    assertError(
      await user.post('/api/invoices', draft({ customerId: crypto.randomUUID() })),
      400,
      'customerId: names no customer',
    )
    assertError(await user.post('/api/invoices', draft({ lines: [] })), 400, /^lines: /)
    const wrong = { lines: [{ text: 'x', quantity: 0, price: 1.00001 }] }
    assertError(
      await user.post('/api/invoices', draft(wrong)),
      400,
      /lines\.0\.quantity: .*lines\.0\.price: /,
    )
    assertError(
      await user.post('/api/customers', { name: 'ÖKO HAUS' }),
      400,
      'name: is taken by another customer',
    )
    assertError(
      await user.delete(`/api/customers/${customerId}`),
      400,
      'The customer is in use and cannot be deleted.',
    )
  })

  it('is numbered without gaps, however many are created at once and fail', async () => {
    const other = await service.newTenant()
    const { id } = await made(other.user.post('/api/customers', { name: 'One' }))
    const one = { customerId: id, lines: draft().lines }
    const all = Array.from({ length: 30 }, (_each, index) =>
      other.user.post('/api/invoices', index % 3 === 0 ? { ...one, customerId: crypto.randomUUID() } : one),
    )
    const numbers = (await Promise.all(all))
      .filter(({ status }) => status === 201)
      .map(({ body }) => body.number)
    assert.deepEqual(
      numbers.toSorted((a, b) => a - b),
      Array.from({ length: 20 }, (_each, index) => index + 1),
    )
  })

  it('publishes its events, and records who changed what', async () => {
    const { id, number } = await newInvoice()
    await user.patch(`/api/invoices/${id}`, { note: 'x' })
    await user.post(`/api/invoices/${id}/send`)
    await user.delete(`/api/invoices/${id}`)
    const events = (await eventsOf(service, tenant.id)).filter(({ data }) => data['invoiceId'] === id)
    assert.deepEqual(
      events.map(({ type }) => type),
      ['invoice.created', 'invoice.updated', 'invoice.sent', 'invoice.deleted'],
    )
    assert.deepEqual(events[0]?.data, {
      invoiceId: id,
      number,
      customerId,
      total: 0.4,
      status: 'draft',
      note: null,
    })
    const { body: audit } = await tenant.admin.get('/api/audit?limit=4')
    assert.deepEqual(
      audit.map(({ action, actorName }: Record<string, string>) => [action, actorName]),
      ['deleted', 'sent', 'updated', 'created'].map((event) => [`invoice.${event}`, 'worker']),
    )
    assert.deepEqual(audit[1].detail, { status: { before: 'draft', after: 'sent' } })
    assert.deepEqual(audit[2].detail, { note: { before: null, after: 'x' } })
  })

  it('is like none for another tenant', async () => {
    const { id } = await newInvoice()
    const stranger = (await service.newTenant()).user
    const path = `/api/invoices/${id}`
    for (const answer of [
      await stranger.get(path),
      await stranger.patch(path, { note: 'mine' }),
      await stranger.put(path, draft()),
      await stranger.delete(path),
      await stranger.post(`${path}/send`),
    ])
      assertError(answer, 404, 'There is no such invoice.')
    assert.deepEqual((await stranger.get('/api/invoices')).body, [])
    assertError(await stranger.post('/api/invoices', draft()), 400, 'customerId: names no customer')
    const { body } = await stranger.post('/graphql', {
      query: `{ invoice(id: "${id}") { id } invoices { totalCount } }`,
    })
    assert.deepEqual(body.data, { invoice: null, invoices: { totalCount: 0 } })
  })

  it('has the same verbs in GraphQL', async () => {
    const ask = async (query: string, variables: object = {}) =>
      (await user.post('/graphql', { query, variables })).body
    const created = await ask(
      'mutation ($input: CreateInvoiceInput!) { createInvoice(input: $input) { id total customer { name } lines { text price } } }',
      { input: draft() },
    )
    const { id, ...rest } = created.data.createInvoice
    assert.deepEqual(rest, {
      total: 0.4,
      customer: { name: 'Öko Haus' },
      lines: [
        { text: 'Desk', price: 0.1 },
        { text: 'Lamp', price: 0.2 },
      ],
    })
    const changed = await ask(
      `mutation { updateInvoice(id: "${id}", input: { note: "gql" }) { note status } }`,
    )
    assert.deepEqual(changed.data, { updateInvoice: { note: 'gql', status: 'draft' } })
    assert.deepEqual((await ask(`mutation { sendInvoice(id: "${id}") { status } }`)).data, {
      sendInvoice: { status: 'sent' },
    })
    const [refused] = (await ask(`mutation { voidInvoice(id: "${id}") { status } }`)).errors
    assert.equal(refused.extensions.code, 'AUTH_NOT_AUTHORIZED')
    const found = await ask(
      `{ invoices(where: { id: { eq: "${id}" }, status: { in: [sent] }, lines: { some: { price: { gt: 0.15 } } } }) { nodes { id } } }`,
    )
    assert.deepEqual(found.data.invoices.nodes, [{ id }])
    const gone = await ask(`mutation { deleteInvoice(id: "${id}") { id status } }`)
    assert.deepEqual(gone.data, { deleteInvoice: { id, status: 'sent' } })
  })

  it('keeps a value that only one row may have, however many want it at once', async () => {
    const asked = Array.from({ length: 10 }, () => user.post('/api/customers', { name: 'Only One' }))
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    assert.deepEqual(statuses.toSorted(), [201, ...Array.from({ length: 9 }, () => 400)])
  })
})

async function made(request: Promise<Answer>): Promise<Answer['body']> {
  const answer = await request
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}
