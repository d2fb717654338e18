/** A tenant table as a value: what a migration creates, and what two versions of an application are compared by. */
import type { Dialect } from './executor.ts'
import type { ColumnTypes } from './migration.ts'
import { tenantColumn } from './scope.ts'
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
}

export interface Index {
  columns: readonly string[]
  isUnique: boolean
  /** Leaves out rows without a value in the first column. */
  isPartial?: boolean
  /** Finds parts of a text, where the database has an index for it. */
  isSearch?: boolean
}

/** A key of two columns, (tenant_id, column), of a row of another table of the tenant. */
export interface ForeignKey {
  column: string
  table: string
  /** Deletes the row with the row that it names, instead of refusing to delete that. */
  cascades?: boolean
}

/** The column of the tenant comes first, in the table, in its primary key and in every index. */
export interface Table {
  name: string
  columns: readonly Column[]
  /** The primary key after the tenant. */
  key: readonly string[]
  indexes: readonly Index[]
  foreignKeys: readonly ForeignKey[]
}

/** @returns the statements that create the table with its indexes */
export function createTable(table: Table, types: ColumnTypes, dialect: Dialect): string[] {
  const lines = [
    `${tenantColumn} ${types.key} NOT NULL`,
    ...table.columns.map((column) => columnClause(column, types)),
    `PRIMARY KEY (${[tenantColumn, ...table.key].join(', ')})`,
    ...table.foreignKeys.map(foreignKeyClause),
  ]
  return [
    `CREATE TABLE ${table.name} (\n  ${lines.join(',\n  ')}\n) ${types.clustered}`.trimEnd(),
    ...table.indexes.flatMap((index) => createIndex(table, index, dialect)),
    ...(dialect === 'sqlite' ? statisticsOf(table) : []),
  ]
}

/** Of a table with a million rows, a hundred thousand for each tenant. */
function statisticsOf(table: Table): string[] {
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

export function columnClause(column: Column, types: ColumnTypes): string {
  const nullable = column.isNullable ? '' : ' NOT NULL'
  const check = checkOf(column)
  return `${column.name} ${types[column.kind]}${nullable}${check === null ? '' : ` CHECK (${check})`}`
}

/** @returns the condition on the values of a column, or `null` */
export function checkOf({ name, min, max, values }: Column): string | null {
  if (values !== undefined) return `${name} IN (${values.map(literal).join(', ')})`
  const bounds = [
    ...(min === undefined ? [] : [`${name} >= ${min}`]),
    ...(max === undefined ? [] : [`${name} <= ${max}`]),
  ]
  return bounds.length === 0 ? null : bounds.join(' AND ')
}

export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

export function foreignKeyClause({ column, table, cascades }: ForeignKey): string {
  const clause = `FOREIGN KEY (${tenantColumn}, ${column}) REFERENCES ${table} (${tenantColumn}, id)`
  return cascades === true ? `${clause} ON DELETE CASCADE` : clause
}

export function createIndex(table: Table, index: Index, dialect: Dialect): string[] {
  if (index.isSearch === true) return dialect === 'postgres' ? [createSearchIndex(table, index)] : []
  const unique = index.isUnique ? 'UNIQUE ' : ''
  const where = index.isPartial === true ? ` WHERE ${index.columns[0]} IS NOT NULL` : ''
  const columns = [tenantColumn, ...index.columns].join(', ')
  return [`CREATE ${unique}INDEX ${indexName(table.name, index)} ON ${table.name} (${columns})${where}`]
}

export function indexName(table: string, { columns, isSearch }: Index): string {
  return `${table}_${columns.join('_')}${isSearch === true ? '_trigrams' : ''}`
}

/** The extension may be missing, forbidden, or in another schema. A search then reads all texts. */
function createSearchIndex(table: Table, index: Index): string {
  const name = indexName(table.name, index)
  return `DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX ${name} ON ${table.name} USING gin (${index.columns[0]} gin_trgm_ops);
EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_file OR undefined_object OR unique_violation THEN
  RAISE NOTICE '${name} was not created: %', SQLERRM;
END $$`
}
