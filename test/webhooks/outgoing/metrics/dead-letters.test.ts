/** Counting dead and pending deliveries reads all of them, apart from the statements of requests. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { newId } from '../../../../src/core/id.ts'
import { QueueData, TenantData } from '../../../../src/database/data.ts'
import type { Database } from '../../../../src/database/executor.ts'
import { countOfAll, countOfTenant } from '../../../../src/webhooks/outgoing/metrics/sql.ts'
import { insertCopies } from '../../../support/webhooks/copies.ts'
import { answering, onlyDelivery, setScene } from '../../../support/webhooks/delivery-scene.ts'

const copies = 200

/** `dead-letters.fault.test.ts` measures that another thread reads them. */
it('The figures of deliveries on SQLite are counted by scans, of all tenants and of one', async () => {
  await using scene = await setScene('sqlite')
  const { service } = scene.service
  await scene.subscribe(await scene.receiver(answering(500)), { retrySeconds: [] })
  await scene.publish()
  await scene.look()
  const { id: original } = await onlyDelivery(scene.user)
  const ids = Array.from({ length: copies }, () => newId())
  await insertCopies(
    service,
    `delivery WHERE id = '${original}'`,
    ids.map((copy) => ({ id: copy, copy })),
  )
  const { catalogueDatabase } = (await service.operator()).shared
  const { scanning, scans } = onlyScanning(catalogueDatabase)
  const expected = { waiting: 0, undispatched: 0, dead: copies + 1 }
  assert.deepEqual(await countOfAll(new QueueData(scanning.executor, scanning)), expected)
  assert.equal(scans(), 3)
  const { id } = scene.tenant
  const ofTenant = new TenantData(id, scanning.executor, scanning)
  assert.deepEqual(await countOfTenant(ofTenant, scanning), expected)
  assert.equal(scans(), 6)
})

/** Refuses what is no scan. */
function onlyScanning(database: Database): { scanning: Database; scans(): number } {
  let scans = 0
  const refuse = () => assert.fail('It was no scan.')
  const scanning: Database = {
    ...database,
    dialect: database.dialect,
    executor: { dialect: database.dialect, run: async () => refuse() },
    scan: (sql, parameters, options) => {
      scans++
      return database.scan(sql, parameters, options)
    },
  }
  return { scanning, scans: () => scans }
}
