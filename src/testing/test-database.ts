import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dropDatabase } from '../database/open.ts'

/** A folder and a database for one service under test. */
export interface TestDatabase {
  dataDir: string
  /** The value for `DATABASE_URL`. */
  url: string
  /** Removes the database. To be called after the service has stopped. */
  remove(): Promise<void>
}

/**
 * Chooses a folder and a database. The service creates the database when it opens it.
 * @param serverUrl the address of any database on a PostgreSQL server, which gets the new database; absent for SQLite
 */
export function newTestDatabase(serverUrl: string | undefined): TestDatabase {
  const dataDir = mkdtempSync(join(tmpdir(), 'tenantry-test-'))
  const removeFolder = (): void => rmSync(dataDir, { recursive: true, force: true })
  if (serverUrl === undefined)
    return { dataDir, url: `sqlite:${join(dataDir, 'tenantry.db')}`, remove: async () => removeFolder() }
  const url = new URL(serverUrl)
  url.pathname = `/test_${randomBytes(8).toString('hex')}`
  const remove = () => dropDatabase({ kind: 'postgres', url: url.href }).finally(removeFolder)
  return { dataDir, url: url.href, remove }
}
