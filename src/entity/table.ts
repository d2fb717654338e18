/** The tables of an entity: one for its rows, and one for each of its lists. */

import { snakeCase } from '../database/sql-text.ts'
import type { Column, ColumnKind, ForeignKey, Index, Table } from '../database/table.ts'
import type { Child, Member, Names, Shape } from './definition.ts'
import type { FieldSpec, ScalarKind } from './field.ts'
import { historyTablesOf } from './history/table.ts'

const columnKinds: Record<ScalarKind, ColumnKind> = {
  text: 'key',
  integer: 'integer',
  money: 'price',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'timestamp',
  enum: 'key',
  reference: 'id',
  json: 'json',
  sequence: 'integer',
}

interface Keys {
  /** The members of each unique constraint. */
  unique: readonly (readonly Member[])[]
  /** Names of members by which lists are often sorted. */
  sorted: readonly string[]
  search: readonly Member[]
  /** Whether superseded versions of rows are kept. */
  isKept: boolean
}

/** @returns the tables, those that others refer to first */
export function tablesOf(names: Names, shape: Shape, keys: Keys): Table[] {
  const { table: name } = names
  const { members, children } = shape
  const columns: Column[] = [
    { name: 'id', kind: 'id', isNullable: false },
    ...members.flatMap((member) => columnsOf(name, member)),
    { name: 'created_at', kind: 'timestamp', isNullable: false },
    { name: 'updated_at', kind: 'timestamp', isNullable: false },
    { name: 'version', kind: 'integer', isNullable: false },
  ]
  const indexes: Index[] = [
    // A unique index that begins with the column finds the rows as well.
    ...members
      .filter(
        (member) => member.spec.kind === 'reference' && !keys.unique.some(([first]) => first === member),
      )
      .map((member) => referenceIndex(member, ['id'])),
    ...members.filter(({ spec }) => spec.kind === 'sequence').map(({ column }) => uniqueIndex([column])),
    ...keys.unique.map((unique) =>
      uniqueIndex(unique.map(({ column, caseFoldedColumn }) => caseFoldedColumn ?? column)),
    ),
    ...keys.sorted.map((member) => ({ columns: [snakeCase(member), 'id'], isUnique: false })),
    ...keys.search.map(({ caseFoldedColumn }) => ({
      columns: [caseFoldedColumn ?? ''],
      isUnique: false,
      isSearch: true,
    })),
  ]
  const main = { name, columns, key: ['id'], indexes, foreignKeys: foreignKeysOf(members) }
  const lists = children.map((child) => childTable(name, child))
  return [main, ...lists, ...(keys.isKept ? historyTablesOf(names, shape) : [])]
}

function childTable(parent: string, { table, parentColumn, members }: Child): Table {
  return {
    name: table,
    columns: [
      { name: parentColumn, kind: 'id', isNullable: false },
      { name: 'position', kind: 'integer', isNullable: false },
      ...members.flatMap((member) => columnsOf(table, member)),
    ],
    key: [parentColumn, 'position'],
    indexes: members
      .filter(({ spec }) => spec.kind === 'reference')
      .map((member) => referenceIndex(member, [])),
    foreignKeys: [{ column: parentColumn, table: parent, cascades: true }, ...foreignKeysOf(members)],
  }
}

function columnsOf(table: string, { field, column, caseFoldedColumn, spec }: Member): Column[] {
  const { kind, schema, isNullable, values } = spec
  const { minimum, maximum } = schema as { minimum?: number; maximum?: number } // of a number
  const initial = initialOf(spec)
  const own: Column = {
    name: column,
    kind: columnKinds[kind as ScalarKind], // lists have no column
    isNullable,
    ...(values !== undefined && { values }),
    ...(isBound(minimum) && { min: minimum }),
    ...(isBound(maximum) && { max: maximum }),
    ...(kind === 'sequence' && { sequence: `${table}.${field}` }),
    ...(initial !== null && { initial }),
  }
  if (caseFoldedColumn === null) return [own]
  return [own, { name: caseFoldedColumn, kind: 'text', isNullable, folds: column }]
}

/** @returns the default as its column has it, for rows that exist when the field is added */
function initialOf({ kind, fallback }: FieldSpec): string | number | boolean | null {
  const value = fallback?.value ?? null
  if (kind === 'json' && value !== null) return JSON.stringify(value)
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}

/** Larger bounds, such as the defaults of integers and amounts, get no CHECK constraint. */
function isBound(bound: number | undefined): bound is number {
  return bound !== undefined && Math.abs(bound) < 99_999_999_999
}

/** @param order the columns by which the rows that refer to one row are sorted */
function referenceIndex({ column, spec }: Member, order: readonly string[]): Index {
  return { columns: [column, ...order], isUnique: false, ...(spec.isNullable && { isPartial: true }) }
}

function uniqueIndex(columns: string[]): Index {
  return { columns, isUnique: true }
}

function foreignKeysOf(members: readonly Member[]): ForeignKey[] {
  return members.flatMap(({ column, spec }) =>
    spec.target === undefined ? [] : [{ column, table: spec.target().table }],
  )
}
