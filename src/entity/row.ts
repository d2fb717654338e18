/** Converts between rows as callers get them and their columns. */
import { invalidField } from '../core/errors.ts'
import { newId } from '../core/id.ts'
import type { viewOf } from '../core/precondition.ts'
import { requireExactNumbers } from '../core/schema/exact-json.ts'
import { isDay, readMoment } from '../database/date.ts'
import { foldText } from '../database/fold-text.ts'
import type { Child, Member, Shape } from './definition.ts'
import type { Columns } from './sql.ts'

/** Marks a row that its writer may not read any more after a permitted change. */
export const isUnreadable: unique symbol = Symbol('unreadable')

/** A row by its members. */
export type Values = Record<string, unknown>

/** A row with the members that are stored but not shown. */
export interface StoredRow extends Values {
  id: string
  createdAt: string
  updatedAt: string
  version: number
  [viewOf]?: string
  /** Its writer may not read the row any more: the reply does not show it. */
  [isUnreadable]?: true
}

/** The maximum size of a value that is stored as JSON. */
export const maxJsonBytes = 64 * 1024

export function toColumns({ members }: Pick<Shape, 'members'>, row: StoredRow): Columns {
  const columns = columnsOf(members, row)
  columns['id'] = row.id
  columns['created_at'] = row.createdAt
  columns['updated_at'] = row.updatedAt
  columns['version'] = row.version
  return columns
}

export function columnsOf(members: readonly Member[], row: Values): Columns {
  const columns: Columns = {}
  for (const { name, column, caseFoldedColumn, spec } of members) {
    const value = row[name] ?? null
    columns[column] = spec.kind === 'json' && value !== null ? jsonText(name, value) : value
    if (caseFoldedColumn !== null) columns[caseFoldedColumn] = value === null ? null : foldText(String(value))
  }
  return columns
}

/** @param lists the rows of each child, in their order */
export function fromColumns(
  { members, children }: Shape,
  columns: Columns,
  lists: ReadonlyMap<Child, readonly Columns[]>,
): StoredRow {
  const listed = children.map((child) => {
    const rows = lists.get(child) ?? []
    return [child.name, rows.map((row) => valuesOf(child.members, row))] as const
  })
  return {
    id: columns['id'] as string, // the columns that every entity has
    ...valuesOf(members, columns),
    ...Object.fromEntries(listed),
    createdAt: columns['created_at'] as string, // a column that every entity has
    updatedAt: columns['updated_at'] as string, // a column that every entity has
    version: columns['version'] as number, // a column that every entity has
  }
}

export function valuesOf(members: readonly Member[], columns: Columns): Values {
  const values: Values = {}
  for (const { name, column, spec } of members) {
    const value = columns[column]
    values[name] = spec.kind === 'json' && typeof value === 'string' ? JSON.parse(value) : value
  }
  return values
}

/** @throws ServiceError `invalid` for a value that is too large, or whose numbers JavaScript would change */
function jsonText(name: string, value: unknown): string {
  const text = JSON.stringify(value)
  requireExactNumbers(text) // the value may be from an incoming webhook, which no schema has checked
  if (Buffer.byteLength(text) > maxJsonBytes)
    throw invalidField(name, `must not be larger than ${maxJsonBytes / 1024} KiB`, {
      code: 'tooLarge',
      parameters: { limit: maxJsonBytes / 1024, unit: 'KiB' },
    })
  return text
}

/** Makes a row of the given values and of defaults. Its members are always in one order, which keeps the code fast. */
export function newRow({ members, children }: Shape, input: Values, moment: string): StoredRow {
  const values: Values = { id: newId() }
  for (const member of members) {
    const given = input[member.name]
    values[member.name] = given === undefined ? (member.spec.fallback?.value ?? null) : given
    normalize(member, values)
  }
  for (const { name, members: own } of children) {
    const rows = input[name]
    values[name] = Array.isArray(rows) ? rows.map((row: Values) => completed(own, row)) : []
  }
  return Object.assign(values, { createdAt: moment, updatedAt: moment, version: 1 }) as StoredRow // all members are set
}

/**
 * The values of members that may be left out; lists are empty.
 * @param isKept tells the members that are left out of the result
 */
export function optionalValues(
  { members, children }: Pick<Shape, 'members' | 'children'>,
  isKept: (name: string) => boolean,
): Values {
  const isOptional = ({ spec, name }: Member | Child) => spec.presence === 'optional' && !isKept(name)
  return Object.fromEntries([
    ...members.filter(isOptional).map(({ name, spec }) => [name, spec.fallback?.value ?? null]),
    ...children.filter(isOptional).map(({ name }) => [name, []]),
  ])
}

/** Normalises the given values: ids in lower case, as they are stored, and lists with all members of their rows. */
export function knownValues({ members, children }: Shape, input: Values): Values {
  const values: Values = {}
  for (const [name, value] of Object.entries(input)) if (value !== undefined) values[name] = value
  for (const member of members) normalize(member, values)
  for (const { name, members: own } of children) {
    const rows = values[name]
    if (Array.isArray(rows)) values[name] = rows.map((row: Values) => completed(own, row))
  }
  return values
}

/** Ids in lower case and moments in UTC, as they are stored. @throws ServiceError `invalid` for another day or moment */
export function normalize({ name, spec }: Member, values: Values): void {
  const value = values[name]
  if (typeof value !== 'string') return
  if (spec.kind === 'reference') values[name] = value.toLowerCase()
  if (spec.kind === 'timestamp') values[name] = readMoment(value) ?? refuse(name, 'date-time')
  if (spec.kind === 'date' && !isDay(value)) refuse(name, 'date')
}

function refuse(name: string, format: string): never {
  throw invalidField(name, `must be a valid ${format}`, { code: 'badFormat', parameters: { format } })
}

/**
 * The row of a list with all of its members. A member that is absent, or null although it may not be, as in a version of
 * an earlier definition, gets its default.
 */
export function completed(members: readonly Member[], row: Values): Values {
  const values: Values = {}
  for (const member of members) {
    const { isNullable, fallback } = member.spec
    const given = row[member.name]
    const isGiven = given !== undefined && (given !== null || isNullable)
    values[member.name] = isGiven ? given : (fallback?.value ?? null)
    normalize(member, values)
  }
  return values
}
