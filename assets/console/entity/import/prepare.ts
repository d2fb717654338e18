/** Reads a file into rows to create, lines that cannot be read, and columns that are left out. */
import type { EntityDescription, FieldDescription, Values } from '../../describe.ts'
import { cellOf } from '../csv.ts'
import { givenValue, isObject } from '../given-value.ts'
import { type ChosenMembers, membersOf } from './mapping.ts'
import { type CellFault, readCell } from './read-cell.ts'
import type { CsvLine } from './read-csv.ts'

export type LineFault =
  | { kind: 'cell'; column: string; cell: string; fault: CellFault }
  | { kind: 'cells'; count: number; expected: number }
  | { kind: 'quotes' }
  | { kind: 'object' }

export interface ImportLine {
  /** The line of a CSV file, or the place in a list of JSON; both from 1. */
  line: number
  /** The cells of the CSV file, or the values of JSON written as such cells. */
  cells: readonly string[]
}

export interface Prepared {
  columns: readonly string[]
  /** The member for each column; `null` for a column that is left out. */
  members: readonly (string | null)[]
  /** Columns without a member. */
  unknown: readonly string[]
  /** Columns with members that only the service sets. */
  readOnly: readonly string[]
  /** Names that several columns have. If there are any, no row is read. */
  repeated: readonly string[]
  rows: readonly (ImportLine & { values: Values })[]
  refused: readonly (ImportLine & { fault: LineFault })[]
}

export function prepareCsv(
  entity: EntityDescription,
  [head, ...lines]: readonly CsvLine[],
  chosen: ChosenMembers = {},
): Prepared {
  const columns = (head?.cells ?? []).map((name, index) => name.trim() || `#${index + 1}`)
  const repeated = columns.filter((name, index) => columns.indexOf(name) < index)
  const mapped = mappedColumns(entity, columns, chosen)
  const results = repeated.length > 0 ? [] : lines.map((line) => ({ ...line, ...readLine(mapped, line) }))
  return prepared(mapped, repeated, results)
}

export function prepareJson(
  entity: EntityDescription,
  items: readonly unknown[],
  chosen: ChosenMembers = {},
): Prepared {
  const objects = items.filter(isObject)
  const columns = [...new Set(objects.flatMap((item) => Object.keys(item)))]
  const mapped = mappedColumns(entity, columns, chosen)
  const results = items.map((item, index) => {
    const line = index + 1
    if (!isObject(item)) return { line, cells: [cellOf(item)], fault: { kind: 'object' } as const }
    const given = mapped.filter(({ name }) => Object.hasOwn(item, name))
    return {
      line,
      cells: columns.map((name) => cellOf(item[name])),
      values: Object.fromEntries(
        given.flatMap(({ name, field }) =>
          field === undefined ? [] : [[field.name, givenValue(field, item[name])]],
        ),
      ),
    }
  })
  return prepared(mapped, [], results)
}

interface MappedColumn {
  /** The name in the file. */
  name: string
  /** `null` for an unknown column, and for one that the user leaves out. */
  member: string | null
  isLeftOut: boolean
  /** `undefined` for a column that gives no value to a field. */
  field: FieldDescription | undefined
}

function mappedColumns(
  entity: EntityDescription,
  columns: readonly string[],
  chosen: ChosenMembers,
): MappedColumn[] {
  const fields = writable(entity)
  const members = membersOf(entity, columns, chosen)
  return columns.map((name, index) => {
    const member = members[index] ?? null
    return { name, member, isLeftOut: chosen[name] === '', field: fields.get(member ?? '') }
  })
}

type Result = ImportLine & ({ values: Values } | { fault: LineFault })

function prepared(
  mapped: readonly MappedColumn[],
  repeated: readonly string[],
  results: readonly Result[],
): Prepared {
  // Without any known column, which may be due to a wrong separator, the file would create empty rows.
  const hasMembers = mapped.some(({ field }) => field !== undefined)
  const namesOf = (columns: readonly MappedColumn[]) => columns.map(({ name }) => name)
  return {
    columns: namesOf(mapped),
    members: mapped.map(({ field }) => field?.name ?? null),
    repeated,
    unknown: namesOf(mapped.filter(({ member, isLeftOut }) => member === null && !isLeftOut)),
    readOnly: namesOf(mapped.filter(({ member, field }) => member !== null && field === undefined)),
    rows: hasMembers ? results.filter((each) => 'values' in each) : [],
    refused: results.filter((each) => 'fault' in each),
  }
}

function readLine(
  columns: readonly MappedColumn[],
  { cells, isBroken }: CsvLine,
): { values: Values } | { fault: LineFault } {
  if (isBroken) return { fault: { kind: 'quotes' } }
  if (cells.length > columns.length)
    return { fault: { kind: 'cells', count: cells.length, expected: columns.length } }
  const values: Record<string, unknown> = {}
  for (const [index, { name: column, field }] of columns.entries()) {
    if (field === undefined) continue
    const cell = cells[index] ?? ''
    const read = readCell(field, cell)
    if ('fault' in read) return { fault: { kind: 'cell', column, cell, fault: read.fault } }
    if (read.value !== undefined) values[field.name] = givenValue(field, read.value)
  }
  return { values }
}

export function writable({ fields }: EntityDescription): ReadonlyMap<string, FieldDescription> {
  return new Map(fields.filter(({ isReadOnly }) => !isReadOnly).map((field) => [field.name, field]))
}
