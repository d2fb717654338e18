/** Filters and orders of lists over REST, once more over rows in memory. */
import { foldText } from '../../../src/database/fold-text.ts'
import { comparing as comparingBy } from '../../support/list-order.ts'
import type { Definition, Member } from './definition.ts'
import { kinds, operatorsOfIds } from './kinds.ts'
import type { Row, Stored } from './rows.ts'

export interface Condition {
  parameter: string
  value: string
  matches(row: Row): boolean
}

/** A member that lists can be filtered and sorted by. */
export interface Column extends Pick<Member, 'name' | 'isNullable'> {
  operators: readonly string[]
  values: readonly unknown[]
  /** Whether it is too long to sort by. */
  isLong?: boolean
}

const times = { isNullable: false, operators: kinds.timestamp.operators }

export function columnsOf({ members }: Definition, rows: readonly Row[]): Column[] {
  const own = members.filter(({ kind }) => !['many', 'json', 'union', 'list'].includes(kind))
  const held = (name: string) => rows.map((row) => row[name])
  return [
    { name: 'id', isNullable: false, operators: operatorsOfIds, values: held('id') },
    ...own.map(({ name, kind, isNullable }) => {
      if (kind === 'reference') return { name, isNullable, operators: operatorsOfIds, values: held(name) }
      if (kind === 'sequence' || kind === 'computed')
        return { name, isNullable, operators: kinds.integer.operators, values: held(name) }
      return { name, isNullable, isLong: kind === 'long', ...kinds[kind as keyof typeof kinds] } // the others have no column
    }),
    { name: 'createdAt', ...times, values: held('createdAt') },
    { name: 'updatedAt', ...times, values: held('updatedAt') },
  ]
}

/** @param operands of which the operator takes one, or two */
export function conditionOn(
  { searched }: Definition,
  { name }: Column,
  operator: string,
  operands: readonly unknown[],
): Condition {
  const taken = [
    'limit',
    'cursor',
    'sort',
    'fields',
    'count',
    'tenant',
    ...(searched.length > 0 ? ['search'] : []),
  ]
  const isBare = operator === 'eq' && !taken.includes(name)
  const several = operator === 'in' || operator === 'nin'
  const used = several ? operands : operands.slice(0, 1)
  return {
    parameter: isBare ? name : `${name}[${operator}]`,
    value: used.join(),
    matches: (row) => isMatch(row[name], operator, used),
  }
}

const ordered: Record<string, (a: never, b: never) => boolean> = {
  gt: (a, b) => a > b,
  gte: (a, b) => a >= b,
  lt: (a, b) => a < b,
  lte: (a, b) => a <= b,
}

function isMatch(there: unknown, operator: string, operands: readonly unknown[]): boolean {
  if (operator === 'isNull') return (there === null) === (operands[0] === true)
  const isOne = operands.includes(there)
  if (operator === 'neq' || operator === 'nin') return !isOne
  if (there === null || operator === 'eq' || operator === 'in') return isOne && there !== null
  const compare = ordered[operator]
  if (compare !== undefined) return compare(there as never, operands[0] as never) // of one type
  const ignoresCase = /^i(?!n)/.test(operator)
  const [whole = '', part = ''] = [there, operands[0]].map((each) =>
    ignoresCase ? foldText(String(each)) : String(each),
  )
  switch (ignoresCase ? operator.slice(1) : operator) {
    case 'eq':
      return whole === part
    case 'contains':
      return whole.includes(part)
    case 'startsWith':
      return whole.startsWith(part)
    default:
      return whole.endsWith(part)
  }
}

export interface SortKey {
  /** Of a row that a reference leads to: the reference, and the path of the routes of that row. */
  reference: { field: string; member: string; path: string } | null
  name: string
  descending: boolean
}

export function sortText({ reference, name, descending }: SortKey): string {
  return `${descending ? '-' : ''}${reference === null ? '' : `${reference.field}.`}${name}`
}

/** @param stored the rows that references lead to */
export function comparing(keys: readonly SortKey[], stored: Stored) {
  const cellOf = (row: Row, { reference, name }: SortKey): unknown => {
    if (reference === null) return row[name]
    const related = stored.get(reference.path)?.find(({ id }) => id === row[reference.member])
    return related?.[name] ?? null
  }
  return comparingBy(keys, cellOf, (key) => sortText({ ...key, descending: false }))
}
