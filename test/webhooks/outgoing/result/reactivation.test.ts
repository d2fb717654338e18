/** A subscription is reactivated at the moment at which its deliveries would be set aside. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import pg from 'pg'
import { inspect } from '../../../support/database/inspect.ts'
import { eventually, soonMs } from '../../../support/eventually.ts'
import { onlyDelivery, setScene } from '../../../support/webhooks/delivery-scene.ts'

it('What is due is delivered when its subscription is reactivated while the service looks, on postgres', async () => {
  await using scene = await setScene('postgres')
  const { databaseUrl } = scene.service.config
  let status = 500
  const receiver = await scene.receiver((response) => response.writeHead(status).end())
  await scene.subscribe(receiver, { retrySeconds: [1], events: ['thing.*'] })
  await scene.publish()
  await eventually('the first attempt', soonMs, async () => receiver.requests.length === 1)
  status = 200
  await inspect(databaseUrl, "UPDATE subscription SET is_active = false, deactivated_at = '2027-01-01Z'")
  const owner = new pg.Client({ connectionString: databaseUrl })
  await owner.connect()
  await owner.query('BEGIN')
  await owner.query('UPDATE subscription SET is_active = true, deactivated_at = NULL')
  const { executor } = (await scene.service.service.operator()).shared.catalogueDatabase
  await eventually('the look at what is due', soonMs, async () => {
    const { rows } = await executor.run(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
        UNION ALL SELECT 1 FROM delivery WHERE status = 'KEPT'`,
      [],
      true,
    )
    return rows.length > 0
  })
  await owner.query('COMMIT')
  await owner.end()
  await eventually('the second attempt', soonMs, async () => receiver.requests.length === 2)
  await scene.look()
  assert.equal((await onlyDelivery(scene.user)).status, 'SUCCEEDED')
})
