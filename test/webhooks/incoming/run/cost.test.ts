/** The cost of a webhook's actions: the tenant with the rules pays, and the caller who replays. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertError } from '../../../support/error.ts'
import { startService, type TestService, type TestTenant } from '../../../support/service.ts'
import { addRules, receipts, send, setProvider } from '../../../support/webhooks/provider.ts'

const units = 1000
/** Of a service at which large bodies spend them soon. */
const fewUnits = 300
const large = 'x'.repeat(160_000)

describe('A webhook', () => {
  let service: TestService
  let poor: TestService
  before(async () => {
    service = await startWith(units)
    poor = await startWith(fewUnits)
  })
  after(async () => {
    await service.stop()
    await poor.stop()
  })

  async function newTenant(rules: number, at = service): Promise<TestTenant> {
    const tenant = await at.newTenant()
    await setProvider(tenant.admin)
    await addRules(at, tenant.user, 'none', rules)
    return tenant
  }

  /** @returns how many are accepted */
  async function countUntilRefused(tenant: TestTenant, text: string, at = service): Promise<number> {
    for (let count = 0; ; count++) {
      const answer = await send(at, tenant, { type: 'a.b', count, text })
      if (answer.status === 200) continue
      assertError(answer, 429)
      assert.ok(Number(answer.headers.get('retry-after')) > 0)
      assert.equal((await receipts(tenant.user)).length, count, 'what is refused is not stored')
      return count
    }
  }

  it('costs its bytes once more for each action', async () => {
    const [none, many] = [await newTenant(0, poor), await newTenant(100, poor)]
    assert.equal(await countUntilRefused(many, large, poor), 1)
    assert.ok((await countUntilRefused(none, large, poor)) > 10)
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
    const tenant = await newTenant(0, poor)
    const { body } = await send(poor, tenant, { type: 'a.b', text: large })
    const replay = (key: string) =>
      tenant.user.post(`/api/webhooks/receipts/${body.id}/replay`, {}, { 'idempotency-key': key })
    const most = Math.ceil(fewUnits / (large.length / 16_384))
    const statuses: number[] = []
    while (statuses.length <= most) statuses.push((await replay(`${statuses.length}`)).status)
    assert.equal(statuses[0], 200)
    assert.equal(statuses[most], 429)
  })
})

/** In a window that does not end while the test runs. */
function startWith(perWindow: number): Promise<TestService> {
  const policy = { units: perWindow, windowSeconds: 1_000_000 }
  const costPolicies = { address: policy, user: policy, tenant: policy, anonymous: policy }
  return startService('sqlite', {}, { costPolicies })
}
