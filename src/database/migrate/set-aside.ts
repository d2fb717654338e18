/** Sets tables aside within a transaction, so that new ones can have their names. */
import type { Transaction } from '../executor.ts'
import { MigrationRefused } from '../migration.ts'
import { quote } from '../sql-text.ts'
import { literal } from '../table.ts'

export interface FormerTables {
  /** @returns the name, quoted, by which a table is reached now */
  nameOf(table: string): string
  /** @returns the statements that create the triggers of the new tables again */
  removeTriggers(): Promise<string[]>
  drop(): Promise<void>
}

/** @throws MigrationRefused, having changed nothing, while a tenant is being moved: triggers then log its changes */
export async function setAside(transaction: Transaction, tables: readonly string[]): Promise<FormerTables> {
  return transaction.dialect === 'sqlite'
    ? byRenaming(transaction, tables)
    : byRenamingOnServer(transaction, tables)
}

async function byRenaming(transaction: Transaction, tables: readonly string[]): Promise<FormerTables> {
  const all = async (sql: string) => (await transaction.run(sql, [], false)).rows
  const removeTriggers = async () => {
    const triggers = await all("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    for (const { name } of triggers) await all(`DROP TRIGGER ${quote(String(name))}`)
    return triggers.map(({ sql }) => String(sql))
  }
  // Events had a trigger then. All others are those of moves.
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

const ownSchema = 'to_regnamespace(current_schema())'

/** Keeps the tables in their schema: moving them to another one needs a right that the role may lack. */
async function byRenamingOnServer(
  transaction: Transaction,
  tables: readonly string[],
): Promise<FormerTables> {
  const all = async (sql: string) => (await transaction.run(sql, [], false)).rows
  // A copy of many rows takes longer than any statement of a request.
  await all('SET LOCAL statement_timeout = 0')
  const triggers = await all(`SELECT 1 FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE NOT t.tgisinternal AND c.relnamespace = ${ownSchema}`)
  refuseMoves(triggers.length)
  await refuseForeignTables(transaction, tables)
  const nameOf = (table: string) => quote(`former_${table}`)
  for (const table of tables) await all(`ALTER TABLE ${quote(table)} RENAME TO ${nameOf(table)}`)
  const renamed = tables.map((table) => literal(`former_${table}`)).join(', ')
  for (const kind of ['constraint', 'index', 'sequence', 'function'] as const)
    for (const { sql } of await all(renaming[kind](renamed))) await all(String(sql))
  const drop = async () => {
    for (const table of tables.toReversed()) await all(`DROP TABLE ${nameOf(table)} CASCADE`)
    for (const { sql } of await all(dropFunctions)) await all(String(sql))
  }
  return { nameOf, removeTriggers: () => Promise.resolve([]), drop }
}

const ofTables = (names: string) => `c.relnamespace = ${ownSchema} AND c.relname IN (${names})`

/**
 * Queries whose rows are statements: these rename what else has a name in the schema. Otherwise the server would choose
 * other names than usual for the constraints, indexes and sequences of the new tables.
 * @param names of the tables, as literals
 */
const renaming = {
  constraint: (
    names: string,
  ) => `SELECT format('ALTER TABLE %I RENAME CONSTRAINT %I TO former_%s', relname, conname, o.oid) AS sql
    FROM pg_constraint o JOIN pg_class c ON c.oid = conrelid WHERE ${ofTables(names)}`,
  index: (names: string) => `SELECT format('ALTER INDEX %I RENAME TO former_%s', i.relname, i.oid) AS sql
    FROM pg_index x JOIN pg_class i ON i.oid = indexrelid JOIN pg_class c ON c.oid = indrelid
    WHERE ${ofTables(names)} AND i.relname NOT LIKE 'former\\_%'`,
  sequence: (
    names: string,
  ) => `SELECT format('ALTER SEQUENCE %I RENAME TO former_%s', s.relname, s.oid) AS sql
    FROM pg_depend d JOIN pg_class s ON s.oid = objid AND s.relkind = 'S' JOIN pg_class c ON c.oid = refobjid
    WHERE ${ofTables(names)} AND d.classid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')`,
  function: () => `SELECT format('ALTER FUNCTION %s RENAME TO former_%s', oid::regprocedure, proname) AS sql
    FROM pg_proc WHERE pronamespace = ${ownSchema} AND proname IN ('fold_text', 'move_note')`,
}

const dropFunctions = `SELECT format('DROP FUNCTION %s CASCADE', oid::regprocedure) AS sql
  FROM pg_proc WHERE pronamespace = ${ownSchema} AND proname IN ('former_fold_text', 'former_move_note')`

/** @throws MigrationRefused for tables that only their owner may rename */
async function refuseForeignTables(transaction: Transaction, tables: readonly string[]): Promise<void> {
  const { rows } = await transaction.run(
    `SELECT c.relname AS name, c.relowner::regrole::text AS owner, current_user AS role FROM pg_class c
     WHERE ${ofTables(tables.map(literal).join(', '))} AND NOT pg_has_role(c.relowner, 'USAGE')`,
    [],
    false,
  )
  const [{ owner, role } = {}] = rows
  if (rows.length === 0) return
  const names = rows.map(({ name }) => String(name)).join(', ')
  throw new MigrationRefused([
    `The role ${role} does not own the tables ${names}: run GRANT ${owner} TO ${role}, or REASSIGN OWNED BY ${owner} TO ${role}.`,
  ])
}

function refuseMoves(triggers: number): void {
  if (triggers === 0) return
  throw new MigrationRefused([
    'A tenant is being moved from or to this database. Let the version that began the move end it, or cancel it there, first.',
  ])
}
