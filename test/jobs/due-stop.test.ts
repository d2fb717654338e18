/** A stop while due jobs of a schedule are stored in tenants' own databases. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { schedule } from '../../src/core/feature/schedule.ts'
import { inCatalogue } from '../../src/core/transaction.ts'
import { storeInTenantDatabases } from '../../src/jobs/schedule/due.ts'
import { scheduleRows } from '../../src/jobs/schedule/occurrence.ts'
import { dueJobs, insertDueJobs } from '../../src/jobs/schedule/sql.ts'
import { startService } from '../support/service.ts'

it('A stop waits for the jobs that are being stored, and begins no others', async () => {
  const stop = new AbortController()
  let isStopping = false
  const clock = () => {
    if (isStopping) stop.abort()
    return new Date()
  }
  const daily = schedule('daily', { cron: '0 7 * * *', run: async () => undefined })
  const features = [{ name: 'timed', schedules: [daily] }]
  const service = await startService('sqlite', {}, { clock, features })
  const ids: string[] = []
  for (const name of ['one', 'other'])
    ids.push((await service.newTenant({ connectionString: `sqlite:${name}.db` })).id)
  const operator = await service.service.operator()
  const rows = scheduleRows(operator)
  const occurrence = new Date().toISOString()
  const due = ids.map((id) => ({ tenant_id: id, schedule: daily.name, occurrence_at: occurrence }))
  await inCatalogue(operator, (inside) => insertDueJobs(scheduleRows(inside), due))

  isStopping = true // the first job that is stored reads the clock
  await assert.rejects(storeInTenantDatabases(operator, [daily], stop.signal), { name: 'AbortError' })
  assert.equal((await dueJobs(rows, '', 10)).length, 1)
  await service.stop()
})
