/** A tenant's own database without pending deliveries stays closed until something is written there. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Context } from '../../../src/core/context.ts'
import { intervalJobsOf } from '../../../src/core/jobs.ts'
import { TestClock } from '../../support/clock.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { runsOf } from '../../support/run/extent.ts'
import { uniqueName } from '../../support/service.ts'
import { answering, publish, type Scene, setScene, subscribe } from '../../support/webhooks/delivery-scene.ts'

const tenants = runsOf(4, 20)

onEachDatabase(`${tenants} tenants with files of their own, the catalogue`, (database) => {
  it('are left alone once nothing waits there, and looked at again when something does', async () => {
    const clock = new TestClock()
    await using scene = await setScene(database, {}, { clock: clock.now })
    const { host } = scene.service
    for (let count = 0; count < tenants; count++) {
      const id = uniqueName('idle')
      const made = await host.post('/api/tenants', { id, name: id, connectionString: `sqlite:${id}.db` })
      assert.equal(made.status, 201, made.text)
    }
    const operator = await scene.service.service.operator()
    await turn(scene, operator)
    clock.advance({ minutes: 2 }) // from then on other instances have touched the mark anew
    await turn(scene, operator)
    await turn(scene, operator)
    const leases = countLeases(operator)
    for (let count = 0; count < 5; count++) await turn(scene, operator)
    assert.equal(leases(), 0)

    const busy = await scene.service.newTenant({ connectionString: `sqlite:${uniqueName('busy')}.db` })
    const receiver = await scene.receiver(answering(500))
    await subscribe(busy.user, receiver, { retrySeconds: [60] })
    await publish(busy.user)
    await scene.look()
    clock.advance({ seconds: 70 })
    await turn(scene, operator)
    assert.equal(receiver.requests.length, 2)
    clock.advance({ minutes: 6 })
    await turn(scene, operator)
    await turn(scene, operator)
    assert.deepEqual(
      await operator.installationData.kysely.selectFrom('pending_tenant').selectAll().execute(),
      [],
    )
  })
})

/** What goes round the databases every 30 seconds. */
async function turn(scene: Scene, operator: Context): Promise<void> {
  await scene.look()
  const jobs = intervalJobsOf(scene.service.service.features)
  for (const job of jobs.filter(({ name }) => name === 'count in tenants’ databases'))
    await job.run(operator, new AbortController().signal)
}

/** @returns how often one was opened, or held open, by now */
function countLeases({ shared: { tenantDatabases } }: Context): () => number {
  let leases = 0
  const { lease } = tenantDatabases
  tenantDatabases.lease = (tenant) => {
    if (tenant.hasOwnDatabase) leases++
    return lease.call(tenantDatabases, tenant)
  }
  return () => leases
}
