/** Two requests create the same provider at the same time. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import pg from 'pg'
import { tenantLocks } from '../../../../src/database/tenant-lock.ts'
import { eventually, soonMs } from '../../../support/eventually.ts'
import { startService } from '../../../support/service.ts'

const path = '/api/webhooks/providers/twice'

it('A provider is created once by requests with If-None-Match that arrive together, on postgres', async () => {
  const service = await startService('postgres')
  const { id, admin } = await service.newTenant()
  const owner = new pg.Client({ connectionString: service.config.databaseUrl })
  await owner.connect()
  const waiting = async () => {
    const { rows } = await owner.query(
      "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
    )
    return rows.length
  }
  await owner.query('SELECT pg_advisory_lock($1, hashtext($2))', [tenantLocks.providers, id])
  const create = (secret: string) => admin.put(path, { secret }, { 'if-none-match': '*' })
  const created = Promise.all([create('first-secret'), create('second-secret')])
  await eventually('both requests', soonMs, async () => (await waiting()) === 2)
  await owner.query('SELECT pg_advisory_unlock_all()')
  const statuses = (await created).map(({ status }) => status)
  assert.deepEqual(statuses.toSorted(), [200, 412])
  await owner.end()
  await service.stop()
})
