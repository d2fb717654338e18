/** The work of a statement, counted by the database itself, so that a busy machine does not change it. */
import assert from 'node:assert/strict'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import pg from 'pg'
import { limitTime } from '../../../src/database/sqlite/time-limit.ts'
import type { Sent } from '../../support/graphql/statement-recorder.ts'
import { sum } from '../sum.ts'

/** @returns steps of the virtual machine on SQLite; rows read and blocks on PostgreSQL */
export function workOf(url: string, statements: readonly Sent[]): Promise<number> {
  return url.startsWith('sqlite:')
    ? stepsOf(url.slice('sqlite:'.length), statements)
    : touchedBy(url, statements)
}

/** Not in the types yet (sqlite3_stmt_status). */
type Counted = StatementSync & { stat(counter: 'vmStep'): number }

async function stepsOf(path: string, statements: readonly Sent[]): Promise<number> {
  const connection = new DatabaseSync(path)
  limitTime(connection)(Number.POSITIVE_INFINITY) // the function that scans ask, as on the connections of the service
  try {
    return sum(
      statements.map(({ sql, parameters }) => {
        const statement = connection.prepare(sql) as Counted
        statement.all(...(parameters as SQLInputValue[])) // as the gateway sends them
        return statement.stat('vmStep')
      }),
    )
  } finally {
    connection.close()
  }
}

interface Plan {
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Plan[]
}

async function touchedBy(url: string, statements: readonly Sent[]): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const touched: number[] = []
    for (const { sql, parameters } of statements) {
      const explained = `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${sql}`
      const { rows } = await client.query(explained, [...parameters])
      const plan: Plan | undefined = rows[0]?.['QUERY PLAN'][0].Plan
      assert.ok(plan)
      touched.push(rowsIn(plan) + plan['Shared Hit Blocks'] + plan['Shared Read Blocks'])
    }
    return sum(touched)
  } finally {
    await client.end()
  }
}

function rowsIn(plan: Plan): number {
  const own = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
  return own + sum((plan.Plans ?? []).map(rowsIn))
}
