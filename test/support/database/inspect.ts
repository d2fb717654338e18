/** Reads a database from outside, without the code of the service. */
import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import pg from 'pg'
import { queryServer } from './query-server.ts'

export type Cells = Record<string, unknown>

export type Ask = (sql: string) => Promise<Cells[]>

/**
 * Runs one statement. A service in this process sees its writes one turn later.
 * @param url `sqlite:<file>` or `postgres://…`, as in DATABASE_URL
 */
export async function inspect(url: string, sql: string): Promise<Cells[]> {
  if (!url.startsWith('sqlite:')) return queryServer<Cells>(url, sql)
  return onFile(url.slice('sqlite:'.length), (ask) => ask(sql))
}

/**
 * Whether a statement on PostgreSQL waits for a lock, in this database alone: the server has those of other tests too.
 * @param on the rows of `pg_locks` that count
 */
export async function isLockWaiting(url: string, on: string): Promise<boolean> {
  const database = '(SELECT oid FROM pg_database WHERE datname = current_database())'
  const sql = `SELECT pid FROM pg_locks WHERE NOT granted AND database = ${database} AND ${on}`
  return (await inspect(url, sql)).length > 0
}

/** Runs several statements on one connection: to open one takes longer than most statements. */
export function inspectEach<T>(url: string, work: (ask: Ask) => Promise<T>): Promise<T> {
  if (url.startsWith('sqlite:')) return onFile(url.slice('sqlite:'.length), work)
  return onServer(url, (client) => work(async (sql) => (await client.query<Cells>(sql)).rows))
}

/** Every cell of every table as text, so that a secret can be searched for in all of them. */
export async function dump(url: string): Promise<string> {
  // An instance reports itself, and counts what tenants use, at any time.
  const names = url.startsWith('sqlite:')
    ? "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT IN ('instance', 'tenant_usage')"
    : "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_name NOT IN ('instance', 'tenant_usage')"
  return inspectEach(url, (ask) => textsOf(names, ask))
}

async function textsOf(names: string, ask: Ask): Promise<string> {
  const texts: string[] = []
  for (const { name } of await ask(names)) {
    const rows = await ask(`SELECT * FROM "${String(name)}"`)
    texts.push(...rows.flatMap((row) => Object.values(row)).map(toText))
  }
  return texts.join('\n')
}

async function onFile<T>(path: string, work: (ask: Ask) => Promise<T>): Promise<T> {
  const connection = new DatabaseSync(path, { timeout: 2000 })
  try {
    return await work(async (sql) => connection.prepare(sql).all())
  } finally {
    connection.close()
    await setImmediate()
  }
}

async function onServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function toText(cell: unknown): string {
  return cell instanceof Uint8Array ? Buffer.from(cell).toString('latin1') : String(cell)
}
