import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { createService, type Service } from '../../../src/service/service.ts'
import { Client } from '../../support/client.ts'
import { type EmptyDatabase, emptyDatabase } from '../../support/database/empty-database.ts'
import { inspect } from '../../support/database/inspect.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { person } from '../../support/service.ts'

/** All of them get to their hash, however slow the machine is. */
const passwordCost = { memory: 64, passes: 1 }
const hashLimits = { maxQueueMs: 600_000, maxWaitMs: 600_000 }

onEitherDatabase('Of twenty simultaneous first administrators', (database) => {
  const instances = database === 'postgres' ? 2 : 1
  let empty: EmptyDatabase
  const services: Service[] = []
  before(async () => {
    empty = await emptyDatabase(database)
    for (let count = 0; count < instances; count++) {
      services.push(await createService(empty.config, { log: empty.log, passwordCost, hashLimits }))
    }
  })
  after(async () => {
    for (const service of services) await service.stop()
    await empty.drop()
  })

  it('exactly one is made', async () => {
    const clients = await Promise.all(services.map(async (service) => new Client(await service.start())))
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, number) =>
        clients[number % instances]?.post('/api/init/first-admin', person(`admin${number}`)),
      ),
    )
    const statuses = answers.map((answer) => answer?.status).toSorted()
    assert.deepEqual(statuses, [200, ...Array<number>(19).fill(400)])
    const made = answers.find((answer) => answer?.status === 200)
    const rows = await inspect(empty.config.databaseUrl, 'SELECT id FROM account')
    assert.deepEqual(
      rows.map(({ id }) => id),
      [made?.body.user.id],
    )
    const events = await inspect(empty.config.databaseUrl, "SELECT id FROM event WHERE type = 'user.created'")
    assert.equal(events.length, 1)
  })
})
