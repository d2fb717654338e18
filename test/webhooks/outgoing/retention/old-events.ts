/** Very many events that were dispatched long ago, written directly to the database. */

import { firstEventIdAt } from '../../../../src/core/id.ts'
import type { Database } from '../../../../src/database/executor.ts'

const atOnce = 20_000
const columns = 'tenant_id, id, type, data, created_at, dispatched_at'
const insert = {
  sqlite: `INSERT INTO event (${columns})
    SELECT ?1, ?2 || printf('%010d', value), 'old.thing', '{"a":"some words of an event"}', ?3, ?3
    FROM (WITH RECURSIVE n(value) AS (SELECT ?4 UNION ALL SELECT value + 1 FROM n WHERE value < ?5) SELECT value FROM n)`,
  postgres: `INSERT INTO event (${columns})
    SELECT $1, $2 || lpad(value::text, 10, '0'), 'old.thing', '{"a":"some words of an event"}', $3::timestamptz, $3::timestamptz
    FROM generate_series($4::int, $5::int) AS value`,
} as const

/** @param moment of all of them */
export async function insertOldEvents(
  database: Database,
  tenantId: string,
  count: number,
  moment: Date,
): Promise<void> {
  const prefix = firstEventIdAt(moment).slice(0, -10)
  for (let from = 0; from < count; from += atOnce) {
    const parameters = [tenantId, prefix, moment.toISOString(), from, Math.min(from + atOnce, count) - 1]
    await database.transaction((transaction) =>
      transaction.run(insert[transaction.dialect], parameters, false),
    )
  }
}

export async function countEvents(database: Database, tenantId: string): Promise<number> {
  const mark = database.dialect === 'sqlite' ? '?' : '$1'
  const sql = `SELECT count(*) AS count FROM event WHERE tenant_id = ${mark} AND type = 'old.thing'`
  const { rows } = await database.executor.run(sql, [tenantId], false)
  return Number(rows[0]?.['count'])
}
