/** The actions of one webhook run in batches: a few before the reply, the rest afterwards. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Context } from '../../../../src/core/context.ts'
import { action } from '../../../../src/core/feature/action.ts'
import type { Feature } from '../../../../src/core/feature/feature.ts'
import { ServedTenants } from '../../../../src/core/queue/served-tenants.ts'
import { TenantDirectory } from '../../../../src/core/tenant/directory.ts'
import { ActionRuns } from '../../../../src/webhooks/incoming/queue/action-queue.ts'
import { maxRunsAtOnce } from '../../../../src/webhooks/incoming/run/run.ts'
import type { Answer } from '../../../support/client.ts'
import { StillClock } from '../../../support/clock.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually, soonMs } from '../../../support/eventually.ts'
import { startService, type TestService, type TestTenant } from '../../../support/service.ts'
import { addRules, receipt, send, setProvider, signed } from '../../../support/webhooks/provider.ts'

interface Attempt {
  tenantId: string
  transaction: unknown
}

/** What the attempts of an action were made in, and whether they fail. */
interface Notes {
  fails: boolean
  attempts: Attempt[]
}

const retryMs = 5000
const schedule = [retryMs / 1000]

onEachDatabase('A webhook with many rules', (database) => {
  const clock = new StillClock()
  const notes: Notes = { fails: false, attempts: [] }
  let service: TestService
  before(async () => {
    const settings = { WEBHOOK_RETRY_SECONDS: schedule.join(',') }
    service = await startService(database, settings, { clock: clock.now, features: [notingFeature(notes)] })
  })
  after(() => service.stop())

  async function newTenant(rules: number): Promise<TestTenant> {
    const tenant = await service.newTenant()
    await setProvider(tenant.admin)
    await addRules(service, tenant.user, 'note.take', rules)
    notes.fails = false
    notes.attempts = []
    return tenant
  }

  async function take(tenant: TestTenant, body: object = { type: 'a.b' }): Promise<string> {
    const text = JSON.stringify(body)
    const header = signed(text, clock.now().getTime() / 1000)
    const answer = await send(service, tenant, text, { 'stripe-signature': header })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.id
  }

  /** Every attempt has failed, so that all of them are due at one moment, which does not come by itself. */
  async function takeInVain(tenant: TestTenant, body?: object): Promise<string> {
    notes.fails = true
    const id = await take(tenant, body)
    await eventually('the first attempts', soonMs, async () => {
      const { runs } = await receipt(tenant.user, id)
      return runs.every(({ attempts }: Answer['body']) => attempts === 1)
    })
    return id
  }

  /** What the worker does, at the moment at which all of it is due; its own clock stands still. */
  async function retryAll(): Promise<void> {
    notes.fails = false
    notes.attempts = []
    await runDue(service, () => new Date(clock.now().getTime() + retryMs), schedule)
  }

  /** How many attempts each transaction made, in the order of the transactions. */
  function batches(): number[] {
    const byTransaction = Map.groupBy(notes.attempts, ({ transaction }) => transaction)
    return [...byTransaction.values()].map(({ length }) => length)
  }

  it('is answered after the first actions, and the others wait for no reason of theirs', async () => {
    const tenant = await newTenant(maxRunsAtOnce + 15)
    const id = await take(tenant)
    await eventually('the end', soonMs, async () => (await receipt(tenant.user, id)).status === 'SUCCEEDED')
    const { runs } = await receipt(tenant.user, id)
    assert.equal(runs.length, maxRunsAtOnce + 15)
    assert.deepEqual(new Set(runs.map(({ attempts }: Answer['body']) => attempts)), new Set([1]))
    assert.deepEqual(batches(), [maxRunsAtOnce, maxRunsAtOnce, 5])
    const rules = (await tenant.user.get('/api/webhooks/rules')).body
    assert.deepEqual(
      runs.map(({ ruleId }: Answer['body']) => ruleId),
      rules.map((rule: Answer['body']) => rule.id),
    )
  })

  it('is tried again in batches, each a transaction of its own', async () => {
    const tenant = await newTenant(2 * maxRunsAtOnce + 3)
    const id = await takeInVain(tenant)
    await retryAll()
    assert.deepEqual(batches(), [maxRunsAtOnce, maxRunsAtOnce, 3])
    assert.equal((await receipt(tenant.user, id)).status, 'SUCCEEDED')
  })

  it('has smaller batches when its body is large', async () => {
    const tenant = await newTenant(5)
    await take(tenant, { type: 'a.b', text: 'x'.repeat(100_000) })
    await eventually('the end', soonMs, async () => notes.attempts.length === 5)
    assert.deepEqual(batches(), [2, 2, 1])
    await take(tenant, { type: 'a.b', text: 'x'.repeat(600_000) })
    await eventually('the end', soonMs, async () => notes.attempts.length === 10)
    assert.deepEqual(batches().slice(3), [1, 1, 1, 1, 1])
  })

  it('does not hold up other tenants', async () => {
    const [many, few] = [await newTenant(30), await newTenant(3)]
    await takeInVain(many)
    await takeInVain(few)
    await retryAll()
    const order = Map.groupBy(notes.attempts, ({ transaction }) => transaction)
    const turns = [...order.values()].map(([first]) => first?.tenantId)
    assert.equal(turns.length, 4)
    assert.ok(turns.indexOf(few.id) <= 1, 'it had the second turn at the latest')
  })

  it('that cannot be tried holds up no other of the tenant', async () => {
    const tenant = await newTenant(maxRunsAtOnce + 2)
    const broken = await takeInVain(tenant)
    const { shared } = await service.service.operator()
    await shared.catalogueDatabase.transaction(async (transaction) => {
      await transaction.run(`UPDATE webhook_receipt SET headers = '{' WHERE id = '${broken}'`, [], false)
    })
    const whole = await takeInVain(tenant, { type: 'c.d' })
    await retryAll()
    assert.deepEqual(batches(), [maxRunsAtOnce, 2])
    assert.equal((await receipt(tenant.user, whole)).status, 'SUCCEEDED')
  })
})

function notingFeature(notes: Notes): Feature {
  return {
    name: 'note',
    actions: {
      'note.take': action({
        access: 'user',
        run: async ({ tenant, transaction }: Context) => {
          notes.attempts.push({ tenantId: tenant.id, transaction })
          if (notes.fails) throw new Error('Not yet.')
        },
      }),
    },
  }
}

/** Runs what is due at a moment of the test's own, as the worker of the catalogue's database would. */
async function runDue(
  { service }: TestService,
  clock: () => Date,
  retrySeconds: readonly number[],
): Promise<void> {
  const operator = await service.operator()
  const shared = Object.assign(Object.create(operator.shared), { clock })
  const tenants = new ServedTenants(shared, new TenantDirectory(operator.installationData))
  const queue = new ActionRuns({ shared, tenants, retrySeconds }).createQueue()
  await queue.dueIndex.refresh(() => queue.scan(operator.tenantDatabase))
  const { begun } = await queue.poll(operator.tenantDatabase)
  await Promise.all(begun)
}
