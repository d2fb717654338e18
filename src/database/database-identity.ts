/**
 * The identity of a database with tenants' rows: one row, which names the database and the installation that made
 * it. Its table has no `tenant_id`, so that the row is never moved, exported or erased. The catalogue's id is the
 * installation's. The generation grows when a tenant's database is opened or closed, so that an older copy of it is
 * recognized.
 */
import { randomUUID } from 'node:crypto'
import type { Database, DatabaseIdentity, Executor } from './executor.ts'
import type { Migration } from './migration.ts'
import { placeholders } from './sql-text.ts'

export const identityTable = 'database_identity'

export const identityMigration: Migration = {
  name: 'tenant-0005',
  database: 'tenant',
  statements: (t) => [
    `CREATE TABLE ${identityTable} (
      id ${t.id} NOT NULL,
      installation ${t.id} NOT NULL,
      generation ${t.integer} NOT NULL,
      created_at ${t.timestamp} NOT NULL,
      singleton ${t.integer} PRIMARY KEY CHECK (singleton = 1)
    )`,
  ],
}

export const selectIdentity = `SELECT id, installation, generation FROM ${identityTable}`

/** @returns `null` before the row is written; the table exists */
export async function readIdentity(executor: Executor): Promise<DatabaseIdentity | null> {
  const { rows } = await executor.run(selectIdentity, [], false)
  const [row] = rows
  return row === undefined ? null : identityOf(row)
}

export function identityOf(row: Readonly<Record<string, unknown>>): DatabaseIdentity {
  return {
    id: String(row['id']),
    installation: String(row['installation']),
    generation: Number(row['generation']),
  }
}

/**
 * Gives the database an identity unless it has one already.
 * @param installation absent for a catalogue, whose own id is that of the installation
 * @returns the identity of the database, new or not @throws DatabaseUnavailable
 */
export async function ensureIdentity(
  database: Database,
  { id = randomUUID(), installation = id }: Partial<Pick<DatabaseIdentity, 'id' | 'installation'>> = {},
): Promise<DatabaseIdentity> {
  const known = await readIdentity(database.executor)
  if (known !== null) return known
  return database.transaction(async (transaction) => {
    const values = [id, installation, 0, new Date().toISOString(), 1]
    const marks = values.map((_, index) => placeholders(transaction.dialect)(index + 1))
    await transaction.run(
      `INSERT INTO ${identityTable} (id, installation, generation, created_at, singleton)
       VALUES (${marks.join(', ')}) ON CONFLICT DO NOTHING`,
      values,
      false,
    )
    const written = await readIdentity(transaction) // if another process inserts as well: the identity that was first
    if (written === null) throw new Error('The identity of a database was not written.')
    return written
  })
}

/** Records that this installation has taken the database over from another one. */
export async function changeInstallation(database: Database, installation: string): Promise<void> {
  const place = placeholders(database.dialect)
  const sql = `UPDATE ${identityTable} SET installation = ${place(1)}`
  await database.transaction((transaction) => transaction.run(sql, [installation], false))
}

/** Raises the generation above the present one and above the parameter. @returns the new generation */
export function advanceGeneration(database: Database, above: number): Promise<number> {
  const place = placeholders(database.dialect)
  const sql = `UPDATE ${identityTable} SET generation = 1 +
    CASE WHEN generation > ${place(1)} THEN generation ELSE ${place(2)} END RETURNING generation`
  return database.transaction(async (transaction) => {
    const { rows } = await transaction.run(sql, [above, above], false)
    return Number(rows[0]?.['generation'])
  })
}
