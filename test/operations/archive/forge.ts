/** Archives of somebody who writes the digests as well. */
import { readdirSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { quote } from '../../../src/database/sql-text.ts'
import { openSqliteExclusively } from '../../../src/database/sqlite/exclusive-database.ts'
import { digestTables } from '../../../src/operations/rows/compare.ts'
import type { TableShape } from '../../../src/operations/rows/shape.ts'
import { dump } from '../../support/database/inspect.ts'
import type { TestService } from '../../support/service.ts'
import { rewriteManifest } from './rewrite-manifest.ts'

interface Forgery {
  sql: string
  shapes: readonly TableShape[]
  tenantId: string
}

/** Runs the SQL in an archive, whose digests then fit. */
export async function forge(to: string, { sql, shapes, tenantId }: Forgery): Promise<void> {
  const connection = new DatabaseSync(to, { enableForeignKeyConstraints: false })
  connection.exec(`PRAGMA ignore_check_constraints = ON; ${sql}`)
  const tenant = connection
    .prepare(
      'SELECT id, name, subdomain, plan, is_active AS isActive, created_at AS createdAt, version FROM tenant',
    )
    .get()
  connection.close()
  const opened = openSqliteExclusively(to)
  const digests = await digestTables(opened.executor, shapes, {
    tenant: tenantId,
    ignored: new Set(),
  }).catch(
    () => null, // of a number that cannot be read
  )
  await opened.close()
  rewriteManifest(to, (manifest) => ({
    ...manifest,
    ...(digests !== null && { tables: digests }),
    tenant: { ...tenant, isActive: tenant?.['isActive'] === 1 },
  }))
}

/** The first row. */
export function updateOf({ name, primary }: TableShape, column: string, value: string): string {
  const key = primary.map(quote).join(', ')
  return `UPDATE ${quote(name)} SET ${quote(column)} = ${value} WHERE (${key}) = (SELECT ${key} FROM ${quote(name)} LIMIT 1)`
}

/** All rows of all tables, and the names of all files. */
export async function stateOf({ config, dataDir }: TestService) {
  const names = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter(
    (each) => !/-(wal|shm|move)$/.test(each),
  )
  return { rows: await dump(config.databaseUrl), files: names.toSorted() }
}
