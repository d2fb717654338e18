/** The plans that a database makes for statements. */
import type { Executor, Row } from '../../../src/database/executor.ts'

export interface Plan {
  /** As EXPLAIN shows it. */
  text: string
  /** Rows that PostgreSQL read from tables, including those that a filter removed; 0 on SQLite. */
  rowsRead: number
}

/** Runs statements, and adds the plan of each to `plans`. */
export function explaining(executor: Executor, plans: Plan[]): Executor {
  const { dialect } = executor
  const explain = dialect === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON)'
  return {
    dialect,
    run: async (sql, parameters, reusable) => {
      const { rows } = await executor.run(`${explain} ${sql}`, parameters, false)
      plans.push(dialect === 'sqlite' ? planOfSqlite(rows) : planOfPostgres(rows))
      return executor.run(sql, parameters, reusable)
    },
  }
}

function planOfSqlite(rows: readonly Row[]): Plan {
  return { text: rows.map(({ detail }) => String(detail)).join('\n'), rowsRead: 0 }
}

interface Node {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Node[]
}

function planOfPostgres(rows: readonly Row[]): Plan {
  const [row = {}] = rows
  const [{ Plan: root }] = row['QUERY PLAN'] as [{ Plan: Node }] // as FORMAT JSON gives it
  return { text: JSON.stringify(root, null, 1), rowsRead: rowsRead(root) }
}

function rowsRead(node: Node): number {
  const left = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  const own = node['Relation Name'] === undefined ? 0 : (node['Actual Rows'] + left) * node['Actual Loops']
  return (node.Plans ?? []).reduce((sum, each) => sum + rowsRead(each), own)
}
