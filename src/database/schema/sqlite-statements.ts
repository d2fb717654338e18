/**
 * Writes the statements that change an application's tables on SQLite. SQLite can rename, and add an empty column. For
 * any other change the table is created again and filled (https://www.sqlite.org/lang_altertable.html#otheralter).
 */
import { foldFunction } from '../fold-text.ts'
import { columnTypes } from '../migration.ts'
import { tenantColumn } from '../scope.ts'
import { quote } from '../sql-text.ts'
import {
  type Column,
  columnClause,
  createIndex,
  creationOf,
  indexName,
  indexStatements,
  literal,
  statisticsOf,
  tableStatement,
} from '../table.ts'
import { becomesRequired, isAltered, isEmptyColumn, type SchemaChange, type TableChange } from './change.ts'
import { rowNumber, sequenceStatements } from './sequence.ts'
import { converted, valueAsSql } from './value.ts'

const types = columnTypes.sqlite

/** When the migration's file is read, this statement sets `Migration.replacesTables` and is not run itself. */
const foreignKeysOff = 'PRAGMA foreign_keys = OFF'

export function sqliteStatements({ created, dropped, changed }: SchemaChange): string[] {
  const replaces = dropped.length > 0 || changed.some(needsReplacement)
  return [
    ...(replaces ? [foreignKeysOff] : []),
    ...changed.flatMap(renameParts),
    ...dropped.flatMap(({ name }) => [`DROP TABLE ${quote(name)}`]),
    ...changed.flatMap((change) => (needsReplacement(change) ? replace(change) : alter(change))),
    ...created.flatMap((table) => creationOf(table, types, 'sqlite')),
    ...sequenceStatements({ created, dropped, changed }),
  ]
}

/**
 * Renames tables and columns. Indexes that are dropped or renamed are dropped first: another table may need their
 * names.
 */
function renameParts({ before, after, columns, indexes }: TableChange): string[] {
  const renamed = indexes.kept.filter(
    ([old, now]) => indexName(before.name, old) !== indexName(after.name, now),
  )
  const gone = [...indexes.dropped, ...renamed.map(([old]) => old)].filter(
    ({ isSearch }) => isSearch !== true,
  )
  const isRenamed = before.name !== after.name
  return [
    ...gone.map((index) => `DROP INDEX ${quote(indexName(before.name, index))}`),
    ...(isRenamed
      ? [
          `ALTER TABLE ${quote(before.name)} RENAME TO ${quote(after.name)}`,
          `DELETE FROM sqlite_stat1 WHERE tbl = ${literal(before.name)}`,
        ]
      : []),
    ...columns.kept
      .filter(([old, now]) => old.name !== now.name)
      .map(
        ([old, now]) =>
          `ALTER TABLE ${quote(after.name)} RENAME COLUMN ${quote(old.name)} TO ${quote(now.name)}`,
      ),
  ]
}

function needsReplacement(change: TableChange): boolean {
  const { columns, foreignKeys } = change
  return (
    foreignKeys.added.length + foreignKeys.dropped.length > 0 ||
    columns.dropped.length > 0 ||
    columns.kept.some(([old, now]) => isAltered(old, now)) ||
    columns.added.some((column) => !isEmptyColumn(change, column))
  )
}

function alter(change: TableChange): string[] {
  const { before, after, columns, indexes } = change
  const table = quote(after.name)
  const renamed = indexes.kept.filter(
    ([old, now]) => indexName(before.name, old) !== indexName(after.name, now),
  )
  const made = [...indexes.added, ...renamed.map(([, now]) => now)]
  const add = columns.added.map(
    (column) => `ALTER TABLE ${table} ADD COLUMN ${columnClause(after.name, column, types, 'sqlite')}`,
  )
  const isIndexed = made.length + indexes.dropped.length > 0 || before.name !== after.name
  return [
    ...add,
    ...made.flatMap((index) => createIndex(after, index, 'sqlite')),
    ...(isIndexed ? statisticsOf(after) : []),
  ]
}

function replace(change: TableChange): string[] {
  const { after } = change
  const draft = `${after.name}__new`
  const names = [tenantColumn, ...after.columns.map(({ name }) => name)]
  const values = valuesOf(change)
  return [
    tableStatement(after, types, 'sqlite', draft),
    `INSERT INTO ${quote(draft)} (${names.map(quote).join(', ')})
  SELECT ${names.map((name) => values.get(name) ?? quote(name)).join(', ')} FROM ${quote(after.name)}`,
    `DROP TABLE ${quote(after.name)}`,
    `ALTER TABLE ${quote(draft)} RENAME TO ${quote(after.name)}`,
    ...indexStatements(after, 'sqlite'),
  ]
}

/** @returns the SQL of the columns' new values, by the new names, which the columns have already */
function valuesOf({ columns, fills }: TableChange): Map<string, string> {
  const values = new Map<string, string>()
  const fillOf = ({ name }: Column): string | null => {
    const fill = fills.get(name)
    return fill === undefined ? null : valueAsSql(fill, 'sqlite')
  }
  for (const [old, now] of columns.kept) {
    const value = converted(quote(now.name), old.kind, now.kind, types)
    const fill = fillOf(now)
    values.set(now.name, becomesRequired(old, now) && fill !== null ? `coalesce(${value}, ${fill})` : value)
  }
  for (const column of columns.added)
    values.set(column.name, column.sequence === undefined ? (fillOf(column) ?? 'NULL') : rowNumber)
  const isNew = columns.kept.filter(([old, now]) => becomesRequired(old, now)).map(([, now]) => now)
  for (const { name, folds } of [...columns.added, ...isNew])
    if (folds !== undefined) values.set(name, `${foldFunction}(${values.get(folds) ?? quote(folds)})`)
  return values
}
