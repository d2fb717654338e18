/** Filters and orders, implemented once more over rows in memory. */
import { foldText } from '../../../src/database/fold-text.ts'
import type { ReadField, ReadModel } from '../../../src/database/read/read-model.ts'

export type Cell = string | number | boolean | null
export interface Row {
  [member: string]: Cell | Row | Row[]
}
export type Where = { [member: string]: unknown } | null | undefined
export type Direction = 'ASC' | 'DESC' | null
export interface Sorting {
  [member: string]: Direction | Sorting
}

/** @returns the rows that match, sorted */
export function select(
  entity: ReadModel,
  rows: readonly Row[],
  where: Where,
  order: readonly Sorting[],
): Row[] {
  const keys = order.flatMap((sorting) => keysOf(entity, sorting, []))
  return rows.filter((row) => judge(entity, where, row) ?? true).toSorted((a, b) => compareBy(keys, a, b))
}

export function isSorted(entity: ReadModel, rows: readonly Row[], order: readonly Sorting[]): boolean {
  const keys = order.flatMap((sorting) => keysOf(entity, sorting, []))
  return rows.every((row, index) => index === 0 || compareBy(keys, rows[index - 1] as Row, row) < 0) // one before it
}

/** `null`: nothing is asked for, which is not the same as everything inside an `or`. */
type Verdict = boolean | null

/** @param row `null` where a relation leads to none: no condition holds of it, but some are still conditions */
function judge(entity: ReadModel, where: Where, row: Row | null): Verdict {
  if (where === null || where === undefined) return null
  return every(
    Object.entries(where).map(([name, value]) => {
      if (name === 'and')
        return every((value as Where[] | null)?.map((part) => judge(entity, part, row)) ?? [])
      if (name === 'or') return some((value as Where[] | null)?.map((part) => judge(entity, part, row)) ?? [])
      const field = entity.fields.get(name)
      if (field !== undefined) return judgeCell(field, value as Where, (row?.[name] ?? null) as Cell)
      return judgeRelated(entity, name, value as Where, row)
    }),
  )
}

function judgeRelated(entity: ReadModel, name: string, where: Where, row: Row | null): Verdict {
  const relation = entity.relations.get(name)
  if (relation === undefined) throw new Error(`${entity.name} has no ${name}.`)
  const other = relation.entity
  const found = row?.[name] ?? null
  if (relation.kind === 'one') {
    if (where === null) return found === null
    const verdict = judge(other, where, found as Row | null)
    return verdict !== null && found === null ? false : verdict
  }
  const items = (found ?? []) as Row[]
  const holds = (item: Row, of: unknown): boolean => judge(other, of as Where, item) ?? true
  return every(
    Object.entries(where ?? {}).map(([quantifier, of]) => {
      if (quantifier === 'any') return items.length > 0 === of
      if (quantifier === 'all') return items.every((item) => holds(item, of))
      return items.some((item) => holds(item, of)) === (quantifier === 'some')
    }),
  )
}

function judgeCell(field: ReadField, where: Where, cell: Cell): Verdict {
  return every(
    Object.entries(where ?? {}).map(([operator, operand]) => {
      if (operator === 'and')
        return every((operand as Where[] | null)?.map((part) => judgeCell(field, part, cell)) ?? [])
      if (operator === 'or')
        return some((operand as Where[] | null)?.map((part) => judgeCell(field, part, cell)) ?? [])
      if (operator.startsWith('n')) return !holdsOf(operator.slice(1), cell, operand)
      return holdsOf(operator, cell, operand)
    }),
  )
}

function holdsOf(operator: string, cell: Cell, operand: unknown): boolean {
  if (operator === 'eq') return cell === operand
  if (operator === 'in') return (operand as Cell[]).includes(cell)
  if (cell === null) return false
  if (operator.startsWith('i'))
    return holdsOf(operator.slice(1), foldText(String(cell)), foldText(String(operand)))
  if (operator === 'contains') return String(cell).includes(String(operand))
  if (operator === 'startsWith') return String(cell).startsWith(String(operand))
  if (operator === 'endsWith') return String(cell).endsWith(String(operand))
  const difference = compare(cell, operand as Cell)
  if (operator === 'gt') return difference > 0
  if (operator === 'gte') return difference >= 0
  if (operator === 'lt') return difference < 0
  if (operator === 'lte') return difference <= 0
  throw new Error(`There is no operator ${operator}.`)
}

function every(verdicts: readonly Verdict[]): Verdict {
  const asked = verdicts.filter((verdict) => verdict !== null)
  return asked.length === 0 ? null : asked.every(Boolean)
}

function some(verdicts: readonly Verdict[]): Verdict {
  const asked = verdicts.filter((verdict) => verdict !== null)
  return asked.length === 0 ? null : asked.some(Boolean)
}

interface Key {
  path: readonly string[]
  descending: boolean
}

function keysOf(entity: ReadModel, sorting: Sorting, path: readonly string[]): Key[] {
  return Object.entries(sorting).flatMap(([name, direction]): Key[] => {
    const relation = entity.relations.get(name)
    if (direction === null) return []
    if (relation === undefined) return [{ path: [...path, name], descending: direction === 'DESC' }]
    return keysOf(relation.entity, direction as Sorting, [...path, name])
  })
}

/** Rows that are equal by all keys stand in the order of their ids, in the direction of the last key that tells rows apart. */
function compareBy(keys: readonly Key[], one: Row, other: Row): number {
  const distinct = keys.filter(
    ({ path }, index) => keys.findIndex((key) => `${key.path}` === `${path}`) === index,
  )
  const last = { path: ['id'], descending: distinct.at(-1)?.descending ?? false }
  for (const { path, descending } of [...distinct, last]) {
    const difference = compare(at(one, path), at(other, path))
    if (difference !== 0) return descending ? -difference : difference
  }
  return 0
}

function at(row: Row, path: readonly string[]): Cell {
  const found = path.reduce<Row | Row[string] | null>(
    (place, name) => (place as Row | null)?.[name] ?? null,
    row,
  )
  return found as Cell
}

/** Nothing is smaller than null; text goes by the bytes of UTF-8. */
function compare(one: Cell, other: Cell): number {
  if (one === null || other === null) return Number(one !== null) - Number(other !== null)
  if (typeof one === 'string') return Buffer.compare(Buffer.from(one), Buffer.from(String(other)))
  return Number(one) - Number(other)
}
