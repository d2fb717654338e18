/** The cost of a webhook's actions: the tenant with the rules pays, and the caller who replays. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertError } from '../../../support/error.ts'
import { startService, type TestService, type TestTenant } from '../../../support/service.ts'
import { addRules, receipts, send, setProvider } from '../../../support/webhooks/provider.ts'

/** In a window that does not end while the test runs. */
const policy = { units: 1000, windowSeconds: 1_000_000 }
const large = 'x'.repeat(160_000)

describe('A webhook', () => {
  let service: TestService
  before(async () => {
    const costPolicies = { address: policy, user: policy, tenant: policy, anonymous: policy }
    service = await startService('sqlite', {}, { costPolicies })
  })
  after(() => service.stop())

  async function newTenant(rules: number, action = 'none'): Promise<TestTenant> {
    const tenant = await service.newTenant()
    await setProvider(tenant.user)
    await addRules(service, tenant.user, action, rules)
    return tenant
  }

  /** @returns how many are accepted */
  async function countUntilRefused(tenant: TestTenant, text: string): Promise<number> {
    for (let count = 0; ; count++) {
      const answer = await send(service, tenant, { type: 'a.b', count, text })
      if (answer.status === 200) continue
      assertError(answer, 429)
      assert.ok(Number(answer.headers.get('retry-after')) > 0)
      assert.equal((await receipts(tenant.user)).length, count, 'what is refused is not stored')
      return count
    }
  }

  it('costs its bytes once more for each action', async () => {
    const [none, many] = [await newTenant(0), await newTenant(100)]
    assert.equal(await countUntilRefused(many, large), 1)
    assert.ok((await countUntilRefused(none, large)) > 40)
  })

  it('costs nothing when it is small and runs few actions, and something for each beyond', async () => {
    const [few, many] = [await newTenant(3), await newTenant(100)]
    for (let count = 0; count < 50; count++) {
      assert.equal((await send(service, few, { type: 'a.b', count })).status, 200)
    }
    assert.equal(await countUntilRefused(many, ''), 12)
  })

  it('is paid for by its user when it is replayed', async () => {
    const tenant = await newTenant(100)
    const { body } = await send(service, tenant, { type: 'a.b', text: large })
    const replay = (client: TestTenant['user']) =>
      client.post(`/api/webhooks/receipts/${body.id}/replay`, { all: true })
    assert.equal((await replay(tenant.user)).status, 200)
    assertError(await replay(tenant.user), 429)
  })

  it('is paid for when its replay runs nothing: the reply is kept all the same', async () => {
    const tenant = await newTenant(0)
    const { body } = await send(service, tenant, { type: 'a.b', text: large })
    const replay = (key: string) =>
      tenant.user.post(`/api/webhooks/receipts/${body.id}/replay`, {}, { 'idempotency-key': key })
    const most = Math.ceil(policy.units / (large.length / 16_384))
    const statuses: number[] = []
    while (statuses.length <= most) statuses.push((await replay(`${statuses.length}`)).status)
    assert.equal(statuses[0], 200)
    assert.equal(statuses[most], 429)
  })
})
