/** The reverse sides of references in GraphQL: pages inside rows, and filters on them, compared with the rows themselves. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import fc from 'fast-check'
import type { Client } from '../support/client.ts'
import { onEachDatabase } from '../support/databases.ts'
import { type Recorder, recorderOf } from '../support/graphql/statement-recorder.ts'
import { runSeed, runsOf } from '../support/run/extent.ts'
import { startService, type TestService, type TestTenant } from '../support/service.ts'
import { newReferringRows, type Row, referring } from './referring-rows.ts'

onEachDatabase('The reverse side of a reference', (database) => {
  let service: TestService
  let tenant: TestTenant
  let recorder: Recorder
  let user: Client
  let owners: Row[]
  let owned: Row[]
  let reminders: Row[]
  before(async () => {
    service = await startService(database, {}, { features: referring })
    tenant = await service.newTenant()
    recorder = await recorderOf(service, tenant)
    user = tenant.user
    ;({ owners, owned, reminders } = await newReferringRows(user))
  })
  after(() => service.stop())

  const ask = async (query: string, variables: object = {}, client = user): Promise<Row> =>
    (await client.post('/graphql', { query, variables })).body
  const answered = async (query: string, variables: object = {}, client = user): Promise<Row> => {
    const { data, errors } = await ask(query, variables, client)
    assert.equal(errors, undefined, JSON.stringify(errors))
    return data
  }

  /** @param edges with the cursors, which the page information repeats */
  const expectedPage = (
    all: readonly Row[],
    { size, total, backward }: { size: number; total: 'ASC' | 'DESC' | null; backward: boolean },
    edges: readonly Row[],
  ) => {
    // The rows come in the order of their ids, in which equal ones stand in the direction of the order.
    const ascending =
      total === null ? all : all.toSorted((a, b) => a.total - b.total || (a.id < b.id ? -1 : 1))
    const sorted = total === 'DESC' ? ascending.toReversed() : ascending
    const kept = sorted.filter((_row, index) => (backward ? index >= all.length - size : index < size))
    return {
      totalCount: all.length,
      nodes: kept.map(({ id, lines, customerId }) => ({
        id,
        lines: lines.map(({ quantity }: Row) => ({ quantity })),
        customer: { name: owners.find((owner) => owner.id === customerId).name },
      })),
      edges: kept.map((row, index) => ({ cursor: edges[index]?.cursor, node: { total: row.total } })),
      pageInfo: {
        hasNextPage: !backward && all.length > size,
        hasPreviousPage: backward && all.length > size,
        startCursor: edges.at(0)?.cursor ?? null,
        endCursor: edges.at(-1)?.cursor ?? null,
      },
    }
  }

  const document = `query ($first: Int, $after: String, $last: Int, $before: String, $where: InvoiceFilterInput,
    $order: [InvoiceSortInput!]) {
    customers(first: 10) { nodes { id invoicesByCustomer(first: $first, after: $after, last: $last, before: $before,
      where: $where, order: $order) { totalCount nodes { id lines { quantity } customer { name } }
      edges { cursor node { total } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } } }`

  it('has the pages of each row, with the filter and the order of a list', async () => {
    const anyPage = fc.record({
      size: fc.integer({ min: 0, max: 8 }),
      status: fc.constantFrom(null, 'draft', 'sent'),
      total: fc.constantFrom(null, 'ASC', 'DESC'),
      backward: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(anyPage, async ({ size, status, total, backward }) => {
        const data = await answered(document, {
          [backward ? 'last' : 'first']: size,
          where: status === null ? {} : { status: { eq: status } },
          order: total === null ? [] : [{ total }],
        })
        for (const { id, invoicesByCustomer: page } of data.customers.nodes) {
          const all = owned.filter(
            (row) => row.customerId === id && (status === null || row.status === status),
          )
          assert.deepEqual(page, expectedPage(all, { size, total, backward }, page.edges))
        }
      }),
      { numRuns: runsOf(8, 25), seed: runSeed },
    )
  })

  it('is read page by page, in both directions', async () => {
    const [{ id }] = owners
    const query = `query ($id: UUID!, $after: String, $before: String, $first: Int, $last: Int) { customer(id: $id) {
      invoicesByCustomer(first: $first, after: $after, last: $last, before: $before, order: { total: DESC }) {
      nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`
    const expected = owned
      .filter((row) => row.customerId === id)
      .toSorted((a, b) => b.total - a.total || (a.id < b.id ? 1 : -1))
    const found: string[] = []
    let cursor: string | null = null
    for (let hasMore = true; hasMore; ) {
      const page: Row = (await answered(query, { id, first: 3, after: cursor })).customer.invoicesByCustomer
      assert.equal(page.pageInfo.hasPreviousPage, found.length > 0)
      found.push(...page.nodes.map((row: Row) => row.id))
      cursor = page.pageInfo.endCursor
      hasMore = page.pageInfo.hasNextPage
    }
    assert.deepEqual(
      found,
      expected.map((row) => row.id),
    )
    const { invoicesByCustomer: back } = (await answered(query, { id, last: 2, before: cursor })).customer
    assert.deepEqual(
      back.nodes.map((row: Row) => row.id),
      found.slice(-3, -1),
    )
    assert.deepEqual([back.pageInfo.hasNextPage, back.pageInfo.hasPreviousPage], [true, true])
  })

  it('is one statement, however deep, with several pages in one row', async () => {
    const { reply, sent } = await recorder.run(
      `query ($text: String) { customers(first: 5) { nodes { name
        few: invoicesByCustomer(first: 1, where: { status: { eq: sent } }) { nodes { total
          reminders(first: 2, where: { text: { neq: $text } }) { nodes { text invoice { customer { id } } } } } }
        paid: invoicesByPayer(first: 2) { totalCount } }
        edges { node { few: invoicesByCustomer(first: 2) { edges { node { id } } } } } } }`,
      { text: 'nothing' },
    )
    assert.equal(reply.errors, undefined, JSON.stringify(reply.errors))
    assert.equal(sent.length, 1)
    for (const [index, { few, paid }] of reply.data.customers.nodes.entries()) {
      const { id } = owners[index]
      const ofCustomer = owned.filter((row) => row.customerId === id)
      const first = ofCustomer.filter(({ status }) => status === 'sent').slice(0, 1)
      assert.deepEqual(
        few.nodes.map(({ total }: Row) => total),
        first.map(({ total }) => total),
      )
      assert.deepEqual(
        few.nodes.flatMap((row: Row) => row.reminders.nodes.map((each: Row) => each.text)),
        first.flatMap((row) =>
          reminders.filter(({ invoiceId }) => invoiceId === row.id).map((each) => each.text),
        ),
      )
      assert.equal(paid.totalCount, owned.filter((row) => row.payerId === id).length)
      const { edges } = reply.data.customers.edges[index].node.few
      assert.deepEqual(
        edges.map(({ node }: Row) => node.id),
        ofCustomer.slice(0, 2).map((row) => row.id),
      )
    }
  })

  it('goes around in circles, to the depth of a document', async () => {
    const circle = (levels: number): string =>
      levels === 0 ? 'id' : `invoicesByCustomer(first: 1) { nodes { customer { ${circle(levels - 1)} } } }`
    const { reply, sent } = await recorder.run(`{ customers(first: 1) { nodes { ${circle(5)} } } }`)
    assert.equal(reply.errors, undefined, JSON.stringify(reply.errors))
    assert.equal(sent.length, 1)
    const [{ id }] = owners
    assert.equal(JSON.stringify(reply).match(/"id":"([^"]+)"/)?.[1], id)
  })

  it('is filtered by, with some, all, none and any, as lists within a row are', async () => {
    const high = { total: { gt: 5 } }
    const isHigh = (row: Row) => row.total > 5
    const of = (id: string) => owned.filter((row) => row.customerId === id)
    const filters: [object, (id: string) => boolean][] = [
      [{ invoicesByCustomer: { some: high } }, (id) => of(id).some(isHigh)],
      [{ invoicesByCustomer: { all: high } }, (id) => of(id).every(isHigh)],
      [{ invoicesByCustomer: { none: high } }, (id) => !of(id).some(isHigh)],
      [{ invoicesByCustomer: { any: false } }, (id) => of(id).length === 0],
      [
        { invoicesByCustomer: { some: { lines: { some: { quantity: { gte: 1 } } } } } },
        (id) => of(id).some(({ lines }) => lines.some(({ quantity }: Row) => quantity >= 1)),
      ],
      [
        { invoicesByCustomer: { some: { reminders: { any: true } } } },
        (id) => of(id).some((row) => reminders.some(({ invoiceId }) => invoiceId === row.id)),
      ],
    ]
    for (const [where, matches] of filters) {
      const data = await answered(
        'query ($w: CustomerFilterInput) { customers(where: $w) { nodes { id } } }',
        {
          w: where,
        },
      )
      assert.deepEqual(
        data.customers.nodes.map(({ id }: Row) => id),
        owners.map(({ id }) => id).filter(matches),
        JSON.stringify(where),
      )
    }
  })

  it('sorts lists by members of the rows that they refer to, and ignores case in filters', async () => {
    const data = await answered(
      `{ invoices(first: 50, order: [{ customer: { name: DESC } }, { total: ASC }],
        where: { customer: { name: { istartsWith: "CUSTOMER", nendsWith: "1" } } }) { nodes { id } } }`,
    )
    const nameOf = ({ customerId }: Row) => owners.find(({ id }) => id === customerId).name
    const expected = owned
      .filter((row) => !nameOf(row).endsWith('1'))
      .toSorted((a, b) => (nameOf(a) === nameOf(b) ? a.total - b.total : nameOf(a) < nameOf(b) ? 1 : -1))
    assert.deepEqual(
      data.invoices.nodes.map(({ id }: Row) => id),
      expected.map(({ id }) => id),
    )
  })

  it('comes with the result of a mutation, and not with a subscription', async () => {
    const [{ id, name }] = owners
    const { updateCustomer } = await answered(
      `mutation ($id: UUID!) { updateCustomer(id: $id, input: { name: "${name}" }) {
        invoicesByCustomer(first: 1) { nodes { id } totalCount } } }`,
      { id },
    )
    assert.equal(updateCustomer.invoicesByCustomer.nodes.length, 1)
    const query = 'subscription { onCustomerCreated { invoicesByCustomer { totalCount } } }'
    const refused = await user.post('/graphql', { query }, { accept: 'text/event-stream' })
    assert.match(refused.text, /cannot select pages of related rows/)
  })

  it('shows no row to those who may not list it, nor to another tenant', async () => {
    const hidden = [
      '{ customers { nodes { verdicts { totalCount } } } }',
      '{ customers(where: { verdicts: { any: true } }) { nodes { id } } }',
      '{ invoices { nodes { customer { verdicts { totalCount } } } } }',
      '{ customersAggregate(where: { verdicts: { any: false } }) { count } }',
    ]
    for (const query of hidden) {
      assert.equal((await ask(query)).errors[0].extensions.code, 'AUTH_NOT_AUTHORIZED', query)
      await answered(query, {}, tenant.admin)
    }
    const { user: other } = await service.newTenant()
    await other.post('/api/customers', { name: 'Customer 0' })
    const data = await answered(
      '{ customers { nodes { invoicesByCustomer { totalCount nodes { id } } } } }',
      {},
      other,
    )
    assert.deepEqual(data.customers.nodes, [{ invoicesByCustomer: { totalCount: 0, nodes: [] } }])
  })

  it('costs as much for each row as a list does, and is refused beyond the bounds of a list', async () => {
    for (const [query, code] of [
      ['{ customers(first: 50) { nodes { invoicesByCustomer(first: 50) { nodes { id } } } } }', 'HC0047'],
      ['{ customers { nodes { invoicesByCustomer(first: 51) { nodes { id } } } } }', 'HC0051'],
      ['{ customers { nodes { invoicesByCustomer(first: 1, last: 1) { nodes { id } } } } }', 'HC0051'],
      ['{ customers { nodes { invoicesByCustomer(after: "x") { nodes { id } } } } }', 'HC0078'],
      [
        '{ customers { nodes { invoicesByCustomer(where: { total: { gt: null } }) { totalCount } } } }',
        'HC0018',
      ],
    ] as const)
      assert.equal((await ask(query)).errors?.[0].extensions.code, code, query)
  })

  it('leaves the rows of REST as they are', async () => {
    const [{ id }] = owners
    const { body } = await user.get(`/api/customers/${id}`)
    assert.deepEqual(Object.keys(body), ['id', 'name', 'note', 'createdAt', 'updatedAt'])
  })
})
