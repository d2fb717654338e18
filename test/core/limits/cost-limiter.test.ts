/** Cost units of callers, for all costly reads together; other callers are not affected. */
import assert from 'node:assert/strict'
import { after, before, it, test } from 'node:test'
import { defaultCostPolicies } from '../../../src/core/limits/cost-limiter.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { fillWithProducts } from '../../support/product-rows.ts'
import { startService, type TestService, type TestTenant } from '../../support/service.ts'

/** Nothing is earned back while the tests run. */
const slowly = 1_000_000

onEitherDatabase('A caller who has spent its cost units', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    const costPolicies = {
      address: { units: 20, windowSeconds: slowly },
      user: { units: 60, windowSeconds: slowly },
      tenant: { units: 100_000, windowSeconds: slowly },
      anonymous: { units: 100_000, windowSeconds: slowly },
    }
    service = await startService(database, {}, { costPolicies })
    tenant = await service.newTenant()
    await fillWithProducts(service, tenant, 150)
    for (const [index, query] of [costly, cheap].entries()) await ask(`198.51.100.${index}`, query)
  })
  after(() => service.stop())

  /** Documents that the service knows: what others cost to prepare is another matter. */
  const costly = '{ products { id description } }'
  const cheap = '{ __typename }'
  const ask = (address: string, query: string, client = service.anonymous) =>
    client.post('/graphql', { query }, { 'x-tenant-id': tenant.id, 'x-forwarded-for': address })

  /** @returns the statuses of replies until one is refused */
  async function askUntilRefused(address: string, client = service.anonymous) {
    for (let count = 0; count < 20; count++) {
      const answer = await ask(address, costly, client)
      if (answer.status !== 200) return { count, answer }
    }
    throw new Error('was never refused')
  }

  it('is refused with 429, and told of its bucket', async () => {
    const { count, answer } = await askUntilRefused('203.0.113.1')
    assert.ok(count >= 1, 'the first is answered')
    assert.equal(answer.status, 429)
    assert.match(answer.body.message, /cost too much/)
    assert.ok(Number(answer.headers.get('retry-after')) >= 1)
    assert.equal(answer.headers.get('ratelimit-policy'), `"cost";q=20;w=${slowly}`)
    assert.match(answer.headers.get('ratelimit') ?? '', /^"cost";r=0;t=\d+$/)
  })

  it('goes on reading what costs nothing to speak of', async () => {
    await askUntilRefused('203.0.113.2')
    assert.deepEqual((await ask('203.0.113.2', cheap)).body, { data: { __typename: 'Query' } })
    const page = await service.anonymous.get(`/api/products?limit=2&tenant=${tenant.id}`, {
      'x-forwarded-for': '203.0.113.2',
    })
    assert.equal(page.body.length, 2)
  })

  it('does not spend for another address', async () => {
    await askUntilRefused('203.0.113.3')
    assert.equal((await ask('203.0.113.4', costly)).status, 200)
  })

  it('is a user, whatever address requests come from', async () => {
    await askUntilRefused('203.0.113.5', tenant.user)
    assert.equal((await ask('203.0.113.6', costly, tenant.user)).status, 429)
    assert.equal((await ask('203.0.113.5', costly, tenant.admin)).status, 200)
  })

  it('is all strangers to a tenant together, and leaves its users what is theirs', async () => {
    const costPolicies = {
      address: { units: 1000, windowSeconds: slowly },
      user: { units: 1000, windowSeconds: slowly },
      tenant: { units: 1000, windowSeconds: slowly },
      anonymous: { units: 20, windowSeconds: slowly },
    }
    const strict = await startService(database, {}, { costPolicies })
    try {
      const own = await strict.newTenant()
      await fillWithProducts(strict, own, 150)
      const askFrom = async (address: number, client = strict.anonymous) => {
        const headers = { 'x-tenant-id': own.id, 'x-forwarded-for': `203.0.113.${address}` }
        return (await client.post('/graphql', { query: costly }, headers)).status
      }
      const statuses: number[] = []
      for (let address = 1; address <= 20; address++) statuses.push(await askFrom(address))
      assert.deepEqual([statuses.at(0), statuses.at(-1)], [200, 429])
      assert.equal(await askFrom(1, own.user), 200)
    } finally {
      await strict.stop()
    }
  })

  it('is counted in the metrics', async () => {
    await askUntilRefused('203.0.113.7')
    assert.match((await service.anonymous.get('/metrics')).text, /^cost_limited_total [1-9]/m)
  })
})

test('A full bucket of one network is half of what callers of a tenant without a token share, at most', () => {
  const { address, anonymous } = defaultCostPolicies
  assert.ok(address.units <= anonymous.units / 2)
  assert.ok(address.units / address.windowSeconds <= anonymous.units / anonymous.windowSeconds / 2)
})
