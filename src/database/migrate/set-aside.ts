/** Sets tables aside within a transaction, so that new ones can have their names. */
import type { Transaction } from '../executor.ts'
import { MigrationRefused } from '../migration.ts'
import { quote } from '../sql-text.ts'

export interface FormerTables {
  /** @returns the name, quoted, by which a table is reached now */
  nameOf(table: string): string
  /** @returns the statements that create the triggers of the new tables again */
  removeTriggers(): Promise<string[]>
  drop(): Promise<void>
}

/** @throws MigrationRefused, having changed nothing, while a move notes the changes of a tenant by triggers */
export async function setAside(transaction: Transaction, tables: readonly string[]): Promise<FormerTables> {
  return transaction.dialect === 'sqlite' ? byRenaming(transaction, tables) : intoSchema(transaction, tables)
}

async function byRenaming(transaction: Transaction, tables: readonly string[]): Promise<FormerTables> {
  const all = async (sql: string) => (await transaction.run(sql, [], false)).rows
  const removeTriggers = async () => {
    const triggers = await all("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    for (const { name } of triggers) await all(`DROP TRIGGER ${quote(String(name))}`)
    return triggers.map(({ sql }) => String(sql))
  }
  const others = "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name <> 'event_position'"
  refuseMoves((await all(others)).length)
  await removeTriggers()
  const names = new Set(tables)
  const indexes = await all(
    "SELECT name, tbl_name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL",
  )
  for (const { name, tbl_name } of indexes)
    if (names.has(String(tbl_name))) await all(`DROP INDEX ${quote(String(name))}`)
  const nameOf = (table: string) => quote(`former_${table}`)
  for (const table of tables) await all(`ALTER TABLE ${quote(table)} RENAME TO ${nameOf(table)}`)
  const drop = async () => {
    for (const table of tables.toReversed()) await all(`DROP TABLE ${nameOf(table)}`)
  }
  return { nameOf, removeTriggers, drop }
}

const schema = 'tenantry_former'

/** With their indexes and sequences, and with the functions of their triggers. */
async function intoSchema(transaction: Transaction, tables: readonly string[]): Promise<FormerTables> {
  const all = async (sql: string) => (await transaction.run(sql, [], false)).rows
  // A copy of many rows takes longer than any statement of a request.
  await all('SET LOCAL statement_timeout = 0')
  const triggers = await all(`SELECT 1 FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE NOT t.tgisinternal AND c.relnamespace = to_regnamespace(current_schema())`)
  refuseMoves(triggers.length)
  await all(`CREATE SCHEMA ${schema}`)
  for (const table of tables) await all(`ALTER TABLE ${quote(table)} SET SCHEMA ${schema}`)
  const functions = await all(`SELECT p.oid::regprocedure::text AS signature FROM pg_proc p
    WHERE p.pronamespace = to_regnamespace(current_schema()) AND p.proname IN ('fold_text', 'move_note')`)
  for (const { signature } of functions) await all(`ALTER FUNCTION ${signature} SET SCHEMA ${schema}`)
  return {
    nameOf: (table) => `${schema}.${quote(table)}`,
    removeTriggers: () => Promise.resolve([]),
    drop: async () => void (await all(`DROP SCHEMA ${schema} CASCADE`)),
  }
}

function refuseMoves(triggers: number): void {
  if (triggers === 0) return
  throw new MigrationRefused([
    'A tenant is being moved from or to this database. Let the version that began the move end it, or cancel it there, first.',
  ])
}
