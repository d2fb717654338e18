/** A database for a service in a process of its own, and its tables as they are, past the service. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPostgresDatabase, type DatabaseName } from '../databases.ts'
import { newMasterKey } from '../master-key.ts'
import { inspect } from './inspect.ts'

export interface Store extends AsyncDisposable {
  /** The settings of a service on this database. */
  settings: Record<string, string>
  /** In the order of their ids. */
  productNames(): Promise<string[]>
  rows(sql: string): Promise<Record<string, unknown>[]>
}

export async function openStore(database: DatabaseName): Promise<Store> {
  const { url, drop } = database === 'sqlite' ? sqliteFile() : await createPostgresDatabase()
  const rows = (sql: string) => inspect(url, sql)
  return {
    settings: { DATABASE_URL: url, MASTER_KEY: newMasterKey() },
    rows,
    productNames: async () =>
      (await rows('SELECT name FROM product ORDER BY id')).map(({ name }) => String(name)),
    [Symbol.asyncDispose]: drop,
  }
}

function sqliteFile() {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-store-'))
  const drop = async (): Promise<void> => rmSync(folder, { recursive: true, force: true })
  return { url: `sqlite:${join(folder, 'tenantry.db')}`, drop }
}

/** Products of some kilobytes each, so that they fill every buffer on the way to a client. */
export function insertLargeProducts(rows: Store['rows'], count: number): Promise<unknown> {
  const moment = '2026-01-01T00:00:00.000Z'
  return rows(
    `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${count})
     INSERT INTO product (tenant_id, id, name, search_name, description, price, is_active, created_at, updated_at, version)
     SELECT 'default', printf('0198c6f0-3d5a-7c31-9a57-%012x', n), 'Large', 'large', '${'畳'.repeat(2000)}',
            1, 1, '${moment}', '${moment}', 1 FROM number`,
  )
}
