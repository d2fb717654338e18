/**
 * Describes a tenant table as a value, from which its SQL is made. Written migrations come from comparing the tables
 * of two versions of an application.
 */
import { hash } from 'node:crypto'
import type { Dialect } from './executor.ts'
import type { ColumnTypes } from './migration.ts'
import { tenantColumn } from './scope.ts'
import { quote } from './sql-text.ts'
import { sqliteStatistics } from './sqlite/statistics.ts'

export type ColumnKind = Exclude<keyof ColumnTypes, 'clustered'>

export interface Column {
  name: string
  kind: ColumnKind
  isNullable: boolean
  /** Bounds of a number. */
  min?: number
  max?: number
  /** The allowed values of a text. */
  values?: readonly string[]
  /** The column of the same table of whose text it stores the case-folded form, for searches without case. */
  folds?: string
  /** The name of the sequence from which it gets its number. */
  sequence?: string
  /** The value for rows that exist when the column is added: the migration needs it, the table itself does not. */
  initial?: string | number | boolean
}

export interface Index {
  columns: readonly string[]
  isUnique: boolean
  /** Leaves out rows without a value in the first column. */
  isPartial?: boolean
  /** Finds parts of a text, where the database has an index for it. */
  isSearch?: boolean
}

/** A foreign key of two columns, (tenant_id, column), so that a row refers only to rows of its own tenant. */
export interface ForeignKey {
  column: string
  table: string
  /** Whether deleting the row that it names deletes this row as well; otherwise that deletion is refused. */
  cascades?: boolean
}

/** The column of the tenant comes first, in the table, in its primary key and in every index. */
export interface Table {
  name: string
  columns: readonly Column[]
  /** The columns of the primary key, without the tenant's. */
  key: readonly string[]
  indexes: readonly Index[]
  foreignKeys: readonly ForeignKey[]
}

/** @returns the statements that create the table with its indexes */
export function creationOf(table: Table, types: ColumnTypes, dialect: Dialect): string[] {
  return [tableStatement(table, types, dialect), ...indexStatements(table, dialect)]
}

/** @param name of the table, if not its own */
export function tableStatement(
  table: Table,
  types: ColumnTypes,
  dialect: Dialect,
  name: string = table.name,
): string {
  const lines = [
    `${quote(tenantColumn)} ${types.key} NOT NULL`,
    ...table.columns.map((column) => columnClause(table.name, column, types, dialect)),
    `PRIMARY KEY (${[tenantColumn, ...table.key].map(quote).join(', ')})`,
    ...table.foreignKeys.map((key) => foreignKeyClause(table.name, key, dialect)),
  ]
  return `CREATE TABLE ${quote(name)} (\n  ${lines.join(',\n  ')}\n) ${types.clustered}`.trimEnd()
}

/** @returns the statements that create the indexes, and on SQLite the statistics */
export function indexStatements(table: Table, dialect: Dialect): string[] {
  return [
    ...table.indexes.flatMap((index) => createIndex(table, index, dialect)),
    ...(dialect === 'sqlite' ? statisticsOf(table) : []),
  ]
}

/**
 * Writes the statistics of a table with a million rows, a hundred thousand for each tenant, a hundred for each value of
 * an index, and five for each row that has a list. Without them SQLite assumes that a tenant has ten rows, and does not
 * use the indexes of lists.
 */
export function statisticsOf(table: Table): string[] {
  const { name, key, indexes } = table
  const figures = indexes
    .filter(({ isSearch }) => isSearch !== true)
    .map((index) => {
      const distinct = index.isUnique || index.columns.at(-1) === 'id'
      const rest = index.columns.map((_column, place) =>
        place === index.columns.length - 1 && distinct ? 1 : 100,
      )
      return [indexName(name, index), ['1000000', '100000', ...rest].join(' ')] as const
    })
  const inner = key.map((_column, place) => (place === key.length - 1 ? 1 : 5))
  return sqliteStatistics(name, {
    [name]: ['1000000', '100000', ...inner].join(' '),
    ...Object.fromEntries(figures),
  })
}

export function columnClause(table: string, column: Column, types: ColumnTypes, dialect: Dialect): string {
  const nullable = column.isNullable ? '' : ' NOT NULL'
  const check = checkClause(table, column, dialect)
  return `${quote(column.name)} ${types[column.kind]}${nullable}${check === null ? '' : ` ${check}`}`
}

/** @returns `null` for a column without a check */
export function checkClause(table: string, column: Column, dialect: Dialect): string | null {
  const check = checkOf(column)
  if (check === null) return null
  return dialect === 'postgres'
    ? `CONSTRAINT ${quote(checkName(table, column.name))} CHECK (${check})`
    : `CHECK (${check})`
}

/** @returns the condition on the values of a column, or `null` */
export function checkOf({ name, min, max, values }: Column): string | null {
  if (values !== undefined) return `${quote(name)} IN (${values.map(literal).join(', ')})`
  const bounds = [
    ...(min === undefined ? [] : [`${quote(name)} >= ${min}`]),
    ...(max === undefined ? [] : [`${quote(name)} <= ${max}`]),
  ]
  return bounds.length === 0 ? null : bounds.join(' AND ')
}

export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** On SQLite constraints get no names: a name would stay the same when its column is renamed. */
export function foreignKeyClause(
  of: string,
  { column, table, cascades }: ForeignKey,
  dialect: Dialect,
): string {
  const name = dialect === 'postgres' ? `CONSTRAINT ${quote(foreignKeyName(of, column))} ` : ''
  const columns = [tenantColumn, column].map(quote).join(', ')
  const clause = `${name}FOREIGN KEY (${columns}) REFERENCES ${quote(table)} ("${tenantColumn}", "id")`
  return cascades === true ? `${clause} ON DELETE CASCADE` : clause
}

export function createIndex(table: Table, index: Index, dialect: Dialect): string[] {
  if (index.isSearch === true) return dialect === 'postgres' ? [createSearchIndex(table, index)] : []
  const unique = index.isUnique ? 'UNIQUE ' : ''
  const where = index.isPartial === true ? ` WHERE ${quote(index.columns[0] ?? '')} IS NOT NULL` : ''
  const columns = [tenantColumn, ...index.columns].map(quote).join(', ')
  const name = quote(indexName(table.name, index))
  return [`CREATE ${unique}INDEX ${name} ON ${quote(table.name)} (${columns})${where}`]
}

export function indexName(table: string, { columns, isSearch }: Index): string {
  return nameOf(table, `${columns.join('_')}${isSearch === true ? '_trigrams' : ''}`)
}

export function checkName(table: string, column: string): string {
  return nameOf(table, `${column}_check`)
}

export function foreignKeyName(table: string, column: string): string {
  return nameOf(table, `${column}_fkey`)
}

/** PostgreSQL truncates longer names, so that two long names could become equal. */
export const maxNameLength = 63
const digestLength = 8

/** Shortens the table rather than the columns: the name in an error of PostgreSQL then still tells the column. */
function nameOf(table: string, rest: string): string {
  const name = `${table}_${rest}`
  if (name.length <= maxNameLength) return name
  const digest = hash('sha256', name).slice(0, digestLength)
  const short = table.slice(0, Math.max(0, maxNameLength - rest.length - digestLength - 2))
  return `${short}_${digest}_${rest}`.slice(0, maxNameLength)
}

/** The extension may be missing, forbidden, or in another schema. A search then reads all texts. */
function createSearchIndex(table: Table, index: Index): string {
  const name = indexName(table.name, index)
  const column = quote(index.columns[0] ?? '')
  return `DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX ${quote(name)} ON ${quote(table.name)} USING gin (${column} gin_trgm_ops);
EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_file OR undefined_object OR unique_violation THEN
  RAISE NOTICE '${name} was not created: %', SQLERRM;
END $$`
}
