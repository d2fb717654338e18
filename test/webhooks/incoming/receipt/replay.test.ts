/** Replays: what they keep of earlier runs, and what they cost. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { maxRuns } from '../../../../src/webhooks/incoming/receipt/log.ts'
import { maxRunsAtOnce } from '../../../../src/webhooks/incoming/run/run.ts'
import type { Answer } from '../../../support/client.ts'
import { onEitherDatabase } from '../../../support/databases.ts'
import { assertError } from '../../../support/error.ts'
import { eventually, soonMs } from '../../../support/eventually.ts'
import { eventsOf } from '../../../support/orders.ts'
import { atAnyCost, startService, type TestService, type TestTenant } from '../../../support/service.ts'
import { addRule, receipt, received, setProvider } from '../../../support/webhooks/provider.ts'

const rules = 60

onEitherDatabase('A replay', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService(database, {}, atAnyCost)
  })
  after(() => service.stop())

  async function take(...actions: string[]): Promise<string> {
    tenant = await service.newTenant()
    await setProvider(tenant.user)
    for (const action of actions) await addRule(tenant.user, action)
    return received(service, tenant, { type: 'a.b' })
  }

  const replay = (id: string, body: object = {}) =>
    tenant.user.post(`/api/webhooks/receipts/${id}/replay`, body)

  const ended = (id: string) =>
    eventually('the end', soonMs, async () => (await receipt(tenant.user, id)).status !== 'PENDING')

  const published = async () =>
    (await eventsOf(service, tenant.id)).filter(({ type }) => type === 'stripe.a.b').length

  it('does a part at once, and the rest when it is answered', async () => {
    const id = await take(...Array(rules).fill('publish'))
    await ended(id)
    const answer = await replay(id, { all: true })
    assert.equal(answer.status, 200, answer.text)
    const runs: Answer['body'][] = answer.body.runs.slice(rules)
    assert.equal(answer.body.status, 'PENDING')
    assert.deepEqual(
      runs.map(({ status }) => status),
      runs.map((_run, place) => (place < maxRunsAtOnce ? 'SUCCEEDED' : 'PENDING')),
    )
    await ended(id)
    assert.equal(await published(), 2 * rules)
  })

  it('removes the oldest runs, and still knows what has succeeded', async () => {
    const id = await take(...Array(rules).fill('publish'))
    await ended(id)
    for (let turn = 2; turn <= 5; turn++) {
      assert.equal((await replay(id, { all: true })).status, 200)
      await ended(id)
      const { runs } = await receipt(tenant.user, id)
      assert.equal(runs.length, Math.min(turn * rules, maxRuns))
      const newest = runs.slice(-rules)
      assert.equal(new Set(newest.map(({ ruleId }: Answer['body']) => ruleId)).size, rules)
    }
    const count = await published()
    assert.equal((await replay(id)).body.runs.length, maxRuns)
    await ended(id)
    assert.equal(await published(), count)
  })

  it('is refused while the actions that wait leave no room, and changes nothing', async () => {
    const id = await take('publish')
    const { shared } = await service.service.operator()
    await shared.catalogueDatabase.transaction(async (transaction) => {
      for (let count = 0; count < maxRuns; count++) {
        await transaction.run(waitingRun(tenant.id, id), [], false)
      }
    })
    const found = await receipt(tenant.user, id)
    assertError(await replay(id, { all: true }), 400, /^Too many actions wait for this receipt/)
    assert.deepEqual(await receipt(tenant.user, id), found)
    assert.equal(await published(), 1)
  })
})

/** Of a rule that is deleted since, for a moment that is far. */
function waitingRun(tenantId: string, receiptId: string): string {
  const columns = 'tenant_id, receipt_id, id, rule_id, action, status, attempts, next_at, created_at'
  const [id, rule] = [crypto.randomUUID(), crypto.randomUUID()]
  return `INSERT INTO webhook_run (${columns}) VALUES ('${tenantId}', '${receiptId}', '${id}', '${rule}',
    'none', 'PENDING', 1, '2999-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`
}
