/** Replays: what they keep of earlier runs, and what they cost. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { newId } from '../../../../src/core/id.ts'
import { maxRuns } from '../../../../src/webhooks/incoming/receipt/log.ts'
import { maxRunsAtOnce } from '../../../../src/webhooks/incoming/run/run.ts'
import type { Answer } from '../../../support/client.ts'
import { onEitherDatabase } from '../../../support/databases.ts'
import { assertError } from '../../../support/error.ts'
import { eventually, soonMs } from '../../../support/eventually.ts'
import { eventsOf } from '../../../support/orders.ts'
import { atAnyCost, startService, type TestService, type TestTenant } from '../../../support/service.ts'
import { insertCopies } from '../../../support/webhooks/copies.ts'
import { addRules, receipt, received, setProvider } from '../../../support/webhooks/provider.ts'

/** So many that four replays of all leave more runs than a receipt keeps. */
const rules = maxRuns / 4 + 1

onEitherDatabase('A replay', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService(database, {}, atAnyCost)
  })
  after(() => service.stop())

  /** A receipt that so many rules publish. */
  async function take(count: number): Promise<string> {
    tenant = await service.newTenant()
    await setProvider(tenant.admin)
    await addRules(service, tenant.user, 'publish', count)
    return received(service, tenant, { type: 'a.b' })
  }

  const replay = (id: string, body: object = {}) =>
    tenant.user.post(`/api/webhooks/receipts/${id}/replay`, body)

  const ended = (id: string) =>
    eventually('the end', soonMs, async () => (await receipt(tenant.user, id)).status !== 'PENDING')

  const published = async () =>
    (await eventsOf(service, tenant.id)).filter(({ type }) => type === 'stripe.a.b').length

  it('does a part at once, and the rest when it is answered', async () => {
    const id = await take(rules)
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
    const id = await take(rules)
    await ended(id)
    for (let turn = 2; turn <= 4; turn++) {
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
    const id = await take(1)
    const [{ id: run }] = (await receipt(tenant.user, id)).runs
    // Of rules that are deleted since, for a moment that is far.
    const waiting = Array.from({ length: maxRuns }, () => ({
      id: newId(),
      rule_id: newId(),
      action: 'none',
      status: 'PENDING',
      next_at: '2999-01-01T00:00:00.000Z',
    }))
    await insertCopies(service.service, `webhook_run WHERE id = '${run}'`, waiting)
    const found = await receipt(tenant.user, id)
    assertError(await replay(id, { all: true }), 400, /^Too many actions wait for this receipt/)
    assert.deepEqual(await receipt(tenant.user, id), found)
    assert.equal(await published(), 1)
  })
})
