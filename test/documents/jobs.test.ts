/** The page on jobs: its reminder is the one in `examples`, and what it says of it is so. */
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { after, before, describe, it, test } from 'node:test'
import { customer } from '../../examples/invoice/customer.ts'
import { invoice } from '../../examples/invoice/invoice.ts'
import { reminder } from '../../examples/invoice/reminder.ts'
import { loadConfig } from '../../src/core/settings/config.ts'
import { jobMetrics } from '../../src/jobs/metrics/metrics.ts'
import { defaultJobLimits } from '../../src/jobs/queue/limiter.ts'
import { jobStatuses } from '../../src/jobs/schema.ts'
import { migrated } from '../entity/migrated.ts'
import { runInterval } from '../jobs/work-feature.ts'
import { StillClock } from '../support/clock.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { eventsOf } from '../support/orders.ts'
import { startService, type TestService } from '../support/service.ts'
import { fencedBlocks, readDocument, tableUnder, textOf } from './markdown.ts'

const page = readDocument('docs/jobs.md')

describe('the page on jobs', () => {
  for (const file of ['reminder.ts', 'tenantry.config.ts'])
    test(`shows ${file} of the invoice application as it is`, () => {
      const text = readDocument(`examples/invoice/${file}`).replaceAll('../../src/index.ts', 'tenantry')
      assert.ok(fencedBlocks(page).some((block) => block.text === text))
    })

  test('names every status and every metric', () => {
    const listed = tableUnder(page, 'Retries').map(([status = '']) => status.replaceAll('`', ''))
    assert.deepEqual(listed, jobStatuses)
    const never = (): never => assert.fail()
    const metrics = jobMetrics(never, {} as never, never).map(({ name }) => name)
    const named = tableUnder(page, 'Metrics').map(([name = '']) => name.replaceAll('`', ''))
    assert.deepEqual(named.toSorted(), metrics.toSorted())
  })

  test('states the limits as they are', () => {
    const { total, perTenant, leaseMs } = defaultJobLimits
    const { jobRetentionDays } = loadConfig({}, tmpdir())
    for (const said of [
      `at most ${total} jobs at once, and at most ${perTenant} of one tenant`,
      `within ${leaseMs / 1000} seconds on another instance`,
      `removed after ${jobRetentionDays} days`,
    ])
      assert.ok(textOf(page).includes(said), said)
  })
})

onEitherDatabase('The reminder of the examples', (database) => {
  const clock = new StillClock()
  let service: TestService
  before(async () => {
    const features = [...migrated([customer, invoice]), reminder]
    service = await startService(database, {}, { clock: clock.now, features })
  })
  after(() => service.stop())

  it('reminds each tenant of what was not paid for two weeks', async () => {
    const { id: tenantId, user } = await service.newTenant()
    const { body: one } = await user.post('/api/customers', { name: 'One' })
    const lines = [{ text: 'Desk', quantity: 1, price: 1 }]
    const invoices: string[] = []
    for (const action of ['send', 'send', null]) {
      const { body } = await user.post('/api/invoices', { customerId: one.id, lines })
      if (action !== null) await user.post(`/api/invoices/${body.id}/${action}`)
      invoices.push(body.id)
    }
    await user.post(`/api/invoices/${invoices[1]}/pay`)
    await runInterval(service, 'schedules')
    clock.advance({ days: 15 })
    await runInterval(service, 'schedules')
    clock.advance({ seconds: 600 })
    await runInterval(service, 'schedules')
    await service.service.queueWorkers.drain()
    const reminded = (await eventsOf(service, tenantId)).filter(({ type }) => type === 'invoice.reminded')
    assert.deepEqual(
      reminded.map(({ data }) => data),
      [{ invoiceId: invoices[0] }],
    )
  })
})
