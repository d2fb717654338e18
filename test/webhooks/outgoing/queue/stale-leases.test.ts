/** Leases of an ended process expire before the next one claims; leases of the next one do not. */

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { eventMigrations } from '../../../../src/core/events/migration.ts'
import { newId } from '../../../../src/core/id.ts'
import { StaleLeases } from '../../../../src/core/queue/stale-leases.ts'
import { migrate } from '../../../../src/database/migrate/apply.ts'
import { deliveryMigrations } from '../../../../src/webhooks/outgoing/migration.ts'
import { expireAllLeases } from '../../../../src/webhooks/outgoing/queue/lease/leases.ts'
import { inspect } from '../../../support/database/inspect.ts'
import { newDatabase } from '../../../support/database/opened.ts'
import { onEachDatabase } from '../../../support/databases.ts'

const start = new Date('2027-01-01T00:00:00.000Z')
const later = '2027-01-01T00:01:00.000Z'

onEachDatabase('Leases from before the start', (name) => {
  async function stage() {
    const { url, open, drop } = await newDatabase(name)
    const database = open()
    await migrate(database, [...eventMigrations, ...deliveryMigrations])
    await inspect(
      url,
      `INSERT INTO event (tenant_id, id, type, data, created_at) VALUES ('t', 'e', 'x', '{}', '${later}')`,
    )
    await nextTurn() // what another connection has written is seen one turn later
    return {
      url,
      database,
      /** @param number of deliveries in each of three lines, every other one leased */
      fill: (number: number) => inspect(url, insertion(number)),
      leases: async () => {
        const rows = await inspect(url, 'SELECT lease FROM delivery WHERE lease IS NOT NULL')
        return rows.map(({ lease }) => lease)
      },
      due: async () =>
        inspect(url, `SELECT id FROM delivery WHERE next_at <= '${start.toISOString()}' AND lease IS NULL`),
      [Symbol.asyncDispose]: drop,
    }
  }

  it('end all together, however many there are, and their deliveries are due', async () => {
    await using at = await stage()
    await at.fill(1200)
    await new StaleLeases((database) => expireAllLeases(database, () => start)).expire(at.database)
    assert.deepEqual(await at.leases(), [])
    assert.equal((await at.due()).length, 1800)
  })

  it('end once: those that are taken afterwards stay', async () => {
    await using at = await stage()
    await at.fill(2)
    const staleLeases = new StaleLeases((database) => expireAllLeases(database, () => start))
    await Promise.all([staleLeases.expire(at.database), staleLeases.expire(at.database)])
    await inspect(at.url, "UPDATE delivery SET lease = 'live'")
    await staleLeases.expire(at.database)
    assert.deepEqual(new Set(await at.leases()), new Set(['live']))
  })

  it('hold up everybody until they have ended, when that fails at first', async () => {
    await using at = await stage()
    await at.fill(2)
    const staleLeases = new StaleLeases((database) => expireAllLeases(database, () => start))
    await inspect(at.url, 'ALTER TABLE delivery RENAME TO away')
    const tries = [staleLeases.expire(at.database), staleLeases.expire(at.database)]
    assert.deepEqual(
      (await Promise.allSettled(tries)).map(({ status }) => status),
      ['rejected', 'rejected'],
    )
    await inspect(at.url, 'ALTER TABLE away RENAME TO delivery')
    await nextTurn()
    assert.equal((await at.leases()).length, 3)
    await staleLeases.expire(at.database)
    assert.deepEqual(await at.leases(), [])
  })
})

function insertion(number: number): string {
  const rows = ['a', 'b', 'c'].flatMap((line) =>
    Array.from({ length: number }, (_, index) => {
      const id = newId()
      const lease = index % 2 === 0 ? `'${newId()}'` : 'NULL'
      return `('t', '${id}', '${newId()}', 'e', 'x', 'EVENT', '${id}', 'PENDING', 0, 0, '${line}', '${later}', ${lease}, '${later}')`
    }),
  )
  return `INSERT INTO delivery (tenant_id, id, subscription_id, event_id, event_type, kind, copy, status, attempts,
    attempts_before, queue, next_at, lease, created_at) VALUES ${rows.join(', ')}`
}
