/** What is in the tables, whatever the service says of it; and rows that would take long to send. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { createPostgresDatabase, type DatabaseName } from '../harness/databases.ts'

export interface Store extends AsyncDisposable {
  /** Lead a service to this database. */
  settings: Record<string, string>
  /** In the order of their ids. */
  productNames(): Promise<string[]>
  rows(sql: string): Promise<Record<string, unknown>[]>
}

/** A database of its own, and a look into it that passes the service by. */
export async function openStore(database: DatabaseName): Promise<Store> {
  const { url, rows, remove } = database === 'sqlite' ? sqliteFile() : await postgresDatabase()
  const settings = { DATABASE_URL: url, MASTER_KEY: randomBytes(32).toString('base64') }
  return {
    settings,
    rows,
    productNames: async () =>
      (await rows('SELECT name FROM product ORDER BY id')).map(({ name }) => String(name)),
    [Symbol.asyncDispose]: remove,
  }
}

function sqliteFile() {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-store-'))
  const file = join(folder, 'tenantry.db')
  const rows = async (sql: string): Promise<Record<string, unknown>[]> => {
    const connection = new DatabaseSync(file)
    try {
      return connection.prepare(sql).all()
    } finally {
      connection.close()
    }
  }
  const remove = async (): Promise<void> => rmSync(folder, { recursive: true, force: true })
  return { url: `sqlite:${file}`, rows, remove }
}

async function postgresDatabase() {
  const { url, drop } = await createPostgresDatabase()
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  const rows = async (sql: string): Promise<Record<string, unknown>[]> => (await pool.query(sql)).rows
  const remove = async (): Promise<void> => {
    await pool.end()
    await drop()
  }
  return { url, rows, remove }
}

/** Of some kilobytes each, so that they fill every buffer on the way to a client. */
export function insertLargeProducts(store: Store, count: number): Promise<unknown> {
  const moment = '2026-01-01T00:00:00.000Z'
  return store.rows(
    `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${count})
     INSERT INTO product (tenant_id, id, name, search_name, description, price, is_active, created_at, updated_at, version)
     SELECT 'default', printf('0198c6f0-3d5a-7c31-9a57-%012x', n), 'Large', 'large', '${'畳'.repeat(2000)}',
            1, 1, '${moment}', '${moment}', 1 FROM number`,
  )
}
