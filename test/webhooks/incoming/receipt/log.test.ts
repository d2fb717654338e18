import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../../../support/databases.ts'
import { assertError } from '../../../support/error.ts'
import { walkPages } from '../../../support/pages.ts'
import { sharedService, type TestService, type TestTenant } from '../../../support/service.ts'
import { addRule, receipts, received, send, setProvider } from '../../../support/webhooks/provider.ts'

const path = '/api/webhooks/receipts'

onEitherDatabase('The log of receipts', (database) => {
  let service: TestService
  let tenant: TestTenant
  const ids: string[] = []
  before(async () => {
    service = await sharedService(database)
    tenant = await service.newTenant()
    await setProvider(tenant.admin)
    await setProvider(tenant.admin, 'other')
    await addRule(tenant.user, 'log', 'a.*')
    await addRule(tenant.user, 'missing', 'b.*')
    for (const type of ['a.one', 'a.two', 'b.one', 'c.one']) {
      ids.push(await received(service, tenant, { id: `evt_${type}`, type }))
    }
    ids.push((await send(service, tenant, { type: 'a.one' }, null, 'other')).body.id)
  })
  after(() => service.stop())

  const found = async (query: string) => (await receipts(tenant.user, query)).map(({ id }) => ids.indexOf(id))

  it('lists the newest first, page by page', async () => {
    assert.deepEqual(await found(''), [4, 3, 2, 1, 0])
    const pages = await walkPages(tenant.user, `${path}?limit=2`)
    assert.deepEqual(
      pages.map(({ body }) => body.length),
      [2, 2, 1],
    )
    assert.deepEqual(
      pages.flatMap(({ body }) => body.map(({ id }: { id: string }) => ids.indexOf(id))),
      [4, 3, 2, 1, 0],
    )
  })

  it('is filtered by provider, type, status and time', async () => {
    assert.deepEqual(await found('&provider=Other'), [4])
    assert.deepEqual(await found('&eventType=a.one'), [4, 0])
    assert.deepEqual(await found('&eventType=a.one&provider=stripe'), [0])
    assert.deepEqual(await found('&status=SUCCEEDED'), [1, 0])
    assert.deepEqual(await found('&status=UNHANDLED'), [2])
    assert.deepEqual(await found('&status=UNMATCHED'), [4, 3])
    const [{ receivedAt }] = await receipts(tenant.user, '&eventType=b.one')
    assert.ok((await found(`&since=${receivedAt}`)).includes(2))
    assert.ok(!(await found(`&until=${receivedAt}`)).includes(2))
    const elsewhere = encodeURIComponent('2000-01-01T00:00:00+02:00')
    assert.deepEqual(await found(`&until=${elsewhere}`), [])
  })

  it('is sorted, counted and chosen by member, over GraphQL too', async () => {
    const query = 'provider=stripe&eventType[in]=a.one,a.two&sort=receivedAt&fields=id,status&count=true'
    const { body, headers } = await tenant.user.get(`${path}?${query}&limit=1`)
    assert.deepEqual(body, [{ id: ids[0], status: 'SUCCEEDED' }])
    assert.equal(headers.get('x-total-count'), '2')
    const [{ receivedAt }] = await receipts(tenant.user, '&eventType=b.one')
    const asked = `{ webhookReceipt(id: "${ids[2]}") { eventType }
      webhookReceipts(where: { receivedAt: { lte: "${receivedAt}" }, status: { eq: UNHANDLED } },
        order: [{ receivedAt: ASC }]) { totalCount nodes { id provider } }
      webhookReceiptsAggregate(groupBy: [provider]) { key { provider } count } }`
    const { data } = (await tenant.user.post('/graphql', { query: asked })).body
    assert.deepEqual(data, {
      webhookReceipt: { eventType: 'b.one' },
      webhookReceipts: { totalCount: 1, nodes: [{ id: ids[2], provider: 'stripe' }] },
      webhookReceiptsAggregate: [
        { key: { provider: 'other' }, count: 1 },
        { key: { provider: 'stripe' }, count: 4 },
      ],
    })
  })

  it('refuses filters that mean nothing', async () => {
    for (const query of ['status=GOOD', 'since=now', 'limit=0', 'cursor=x']) {
      assertError(await tenant.user.get(`${path}?${query}`), 400)
    }
  })

  it('is for those of the tenant', async () => {
    const other = await service.newTenant()
    assert.deepEqual((await other.user.get(path)).body, [])
    assertError(await other.user.get(`${path}/${ids[0]}`), 404)
    assertError(await other.user.post(`${path}/${ids[0]}/replay`), 404)
    assertError(await service.anonymous.get(path), 401)
  })
})
