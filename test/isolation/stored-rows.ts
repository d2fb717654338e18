/** The rows of a tenant in every table of the shared database, as it stores them. */
import { type Ask, type Cells, inspectEach } from '../support/database/inspect.ts'

/** Rows as JSON, each after the name of its table. */
export type StoredRows = ReadonlySet<string>

/** What using a session or an API key changes by itself. */
const volatile = new Set(['last_used_at', 'expires_at'])

/** What serves all tenants alike. */
const ofService = new Set(['pending_tenant', 'job_schedule', 'owed_job'])

const columnsOnSqlite = `SELECT t.name AS "table", c.name AS "column" FROM sqlite_master t, pragma_table_info(t.name) c
  WHERE t.type = 'table'`
const columnsOnPostgres = `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
  WHERE table_schema = 'public'`

/** @param url of the database */
export function storedRows(url: string, tenantId: string): Promise<StoredRows> {
  return inspectEach(url, async (ask) => {
    const rows = new Set<string>()
    for (const [table, condition] of await tablesOfTenants(url, ask, tenantId))
      for (const row of await ask(`SELECT * FROM "${table}" WHERE ${condition}`))
        rows.add(`${table} ${textOf(row)}`)
    return rows
  })
}

/** @returns the rows that have changed or gone */
export function changedRows(before: StoredRows, after: StoredRows): string[] {
  return [...before].filter((row) => !after.has(row))
}

/** @returns the tables that have more rows, or others */
export function tablesWithNew(before: StoredRows, after: StoredRows): string[] {
  return [...new Set([...after].filter((row) => !before.has(row)).map((row) => row.split(' ', 1)[0] ?? ''))]
}

async function tablesOfTenants(url: string, ask: Ask, tenantId: string): Promise<[string, string][]> {
  const columns = await ask(url.startsWith('sqlite:') ? columnsOnSqlite : columnsOnPostgres)
  const having = (name: string) =>
    columns.filter(({ column }) => column === name).map(({ table }) => String(table))
  const own = having('tenant_id').filter((table) => !ofService.has(table))
  const ofUsers = having('account_id').filter((table) => !own.includes(table))
  const ofSessions = having('session_id').filter((table) => !own.includes(table) && !ofUsers.includes(table))
  const byTenant = `tenant_id = '${tenantId}'`
  return [
    ['tenant', `id = '${tenantId}'`],
    ...own.map((table): [string, string] => [table, byTenant]),
    ...ofUsers.map((table): [string, string] => [
      table,
      `account_id IN (SELECT id FROM account WHERE ${byTenant})`,
    ]),
    ...ofSessions.map((table): [string, string] => [
      table,
      `session_id IN (SELECT id FROM session WHERE ${byTenant})`,
    ]),
  ]
}

function textOf(row: Cells): string {
  const cells = Object.entries(row).filter(([column]) => !volatile.has(column))
  return JSON.stringify(cells.map(([column, value]) => [column, cellOf(value)]))
}

function cellOf(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
}
