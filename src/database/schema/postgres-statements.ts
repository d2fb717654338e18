/** Writes the statements that change an application's tables on PostgreSQL from one version to the next. */
import { foldFunction } from '../fold-text.ts'
import { columnTypes } from '../migration.ts'
import { quote } from '../sql-text.ts'
import {
  type Column,
  checkClause,
  checkName,
  checkOf,
  createIndex,
  creationOf,
  foreignKeyClause,
  foreignKeyName,
  indexName,
  type Table,
} from '../table.ts'
import {
  becomesRequired,
  hasSameCheck,
  isEmptyColumn,
  type SchemaChange,
  type TableChange,
} from './change.ts'
import { numberRows, sequenceStatements } from './sequence.ts'
import { converted, valueAsSql } from './value.ts'

const types = columnTypes.postgres

/** Constraints and indexes are dropped first and added last, so that values can change in between. */
export function postgresStatements({ created, dropped, changed }: SchemaChange): string[] {
  const later = laterKeys(created)
  return [
    ...changed.flatMap(renameParts),
    ...changed.flatMap(dropConstraints),
    ...(dropped.length > 0 ? [`DROP TABLE ${dropped.map(({ name }) => quote(name)).join(', ')}`] : []),
    ...changed.flatMap(changeColumns),
    ...created.flatMap((table) => creationOf(withoutKeys(table, later.get(table)), types, 'postgres')),
    ...created.flatMap((table) =>
      (later.get(table) ?? []).map(
        (key) => `${alter(table)} ADD ${foreignKeyClause(table.name, key, 'postgres')}`,
      ),
    ),
    ...changed.flatMap(addConstraints),
    ...sequenceStatements({ created, dropped, changed }),
  ]
}

type Keys = Table['foreignKeys']

/** Finds foreign keys to tables that are created later than their own table: these keys are added afterwards. */
function laterKeys(created: readonly Table[]): Map<Table, Keys> {
  const later = new Map<Table, Keys>()
  const waiting = new Set(created.map(({ name }) => name))
  for (const table of created) {
    waiting.delete(table.name)
    later.set(
      table,
      table.foreignKeys.filter((key) => waiting.has(key.table)),
    )
  }
  return later
}

function withoutKeys(table: Table, later: Keys = []): Table {
  return { ...table, foreignKeys: table.foreignKeys.filter((key) => !later.includes(key)) }
}

/** Renames constraints and indexes with their tables and columns, because later changes find them by these names. */
function renameParts({ before, after, columns, indexes, foreignKeys }: TableChange): string[] {
  const table = alter(after)
  const renamed = (kind: string, from: string, to: string) =>
    from === to ? [] : [`${table} RENAME ${kind} ${quote(from)} TO ${quote(to)}`]
  return [
    ...(before.name === after.name ? [] : [`${alter(before)} RENAME TO ${quote(after.name)}`]),
    ...columns.kept.flatMap(([old, now]) => renamed('COLUMN', old.name, now.name)),
    ...columns.kept
      .filter(([old, now]) => checkOf(old) !== null && keepsCheck(old, now))
      .flatMap(([old, now]) =>
        renamed('CONSTRAINT', checkName(before.name, old.name), checkName(after.name, now.name)),
      ),
    ...foreignKeys.kept.flatMap(([old, now]) =>
      renamed('CONSTRAINT', foreignKeyName(before.name, old.column), foreignKeyName(after.name, now.column)),
    ),
    ...indexes.kept.flatMap(([old, now]) => {
      const [from, to] = [indexName(before.name, old), indexName(after.name, now)]
      return from === to ? [] : [`ALTER INDEX IF EXISTS ${quote(from)} RENAME TO ${quote(to)}`]
    }),
  ]
}

/** Indexes are dropped `IF EXISTS`, because a search index is not created where its extension is missing. */
function dropConstraints({ before, after, columns, indexes, foreignKeys }: TableChange): string[] {
  const drop = (name: string) => `${alter(after)} DROP CONSTRAINT ${quote(name)}`
  return [
    ...foreignKeys.dropped.map(({ column }) => drop(foreignKeyName(before.name, column))),
    ...indexes.dropped.map((index) => `DROP INDEX IF EXISTS ${quote(indexName(before.name, index))}`),
    ...columns.kept
      .filter(([old, now]) => checkOf(old) !== null && !keepsCheck(old, now))
      .map(([old]) => drop(checkName(before.name, old.name))),
  ]
}

function changeColumns(change: TableChange): string[] {
  const { after, columns } = change
  const table = alter(after)
  return [
    ...columns.dropped.map(({ name }) => `${table} DROP COLUMN ${quote(name)}`),
    ...columns.added.flatMap((column) => addColumn(change, column)),
    ...columns.kept.flatMap(([old, now]) => changeColumn(change, old, now)),
    ...columns.added.flatMap((column) => fillCaseFolded(change, column)),
  ]
}

function addColumn({ after, fills }: TableChange, column: Column): string[] {
  const { name, kind, isNullable, folds, sequence } = column
  const add = `${alter(after)} ADD COLUMN ${quote(name)} ${types[kind]}`
  if (folds !== undefined) return [add]
  if (sequence !== undefined) return [add, numberRows(after, name), required(after, name)]
  const fill = fills.get(name)
  if (fill === undefined) return [`${add}${isNullable ? '' : ' NOT NULL'}`]
  const sql = valueAsSql(fill, 'postgres')
  return [
    `${add}${isNullable ? '' : ' NOT NULL'} DEFAULT ${sql}`,
    `${alter(after)} ALTER COLUMN ${quote(name)} DROP DEFAULT`,
  ]
}

function fillCaseFolded(change: TableChange, column: Column): string[] {
  const { name, folds, isNullable } = column
  const { after } = change
  if (folds === undefined || isEmptyColumn(change, column)) return []
  const fill = `UPDATE ${quote(after.name)} SET ${quote(name)} = ${foldFunction}(${quote(folds)})`
  return isNullable ? [fill] : [fill, required(after, name)]
}

function changeColumn({ after, fills }: TableChange, old: Column, now: Column): string[] {
  const column = quote(now.name)
  const alterColumn = `${alter(after)} ALTER COLUMN ${column}`
  const using = converted(column, old.kind, now.kind, types)
  const statements = old.kind === now.kind ? [] : [`${alterColumn} TYPE ${types[now.kind]} USING ${using}`]
  if (becomesRequired(old, now)) {
    const fill = fills.get(now.name)
    const value =
      now.folds === undefined
        ? fill === undefined
          ? null
          : valueAsSql(fill, 'postgres')
        : `${foldFunction}(${quote(now.folds)})`
    if (value !== null)
      statements.push(`UPDATE ${quote(after.name)} SET ${column} = ${value} WHERE ${column} IS NULL`)
    statements.push(`${alterColumn} SET NOT NULL`)
  } else if (now.isNullable && !old.isNullable) statements.push(`${alterColumn} DROP NOT NULL`)
  return statements
}

function addConstraints({ after, columns, indexes, foreignKeys }: TableChange): string[] {
  const changed = columns.kept.filter(([old, now]) => !keepsCheck(old, now)).map(([, now]) => now)
  const checks = [...changed, ...columns.added].map((column) => checkClause(after.name, column, 'postgres'))
  return [
    ...checks.filter((check) => check !== null).map((check) => `${alter(after)} ADD ${check}`),
    ...foreignKeys.added.map((key) => `${alter(after)} ADD ${foreignKeyClause(after.name, key, 'postgres')}`),
    ...indexes.added.flatMap((index) => createIndex(after, index, 'postgres')),
  ]
}

/** Whether a column keeps its check: a changed type may lack the operators in it. */
function keepsCheck(old: Column, now: Column): boolean {
  return old.kind === now.kind && hasSameCheck(old, now)
}

function required({ name }: Table, column: string): string {
  return `ALTER TABLE ${quote(name)} ALTER COLUMN ${quote(column)} SET NOT NULL`
}

function alter({ name }: Table): string {
  return `ALTER TABLE ${quote(name)}`
}
