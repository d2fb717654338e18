/** What a file would create: rows, lines that cannot be read, and columns that are left out. */
import { allFields, type EntityDescription, type FieldDescription, type Values } from '../../describe.ts'
import { cellOf } from '../csv.ts'
import { givenValue, isObject } from '../given-value.ts'
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
  /** As the file has them, or as a CSV file would. */
  cells: readonly string[]
}

export interface Prepared {
  columns: readonly string[]
  /** Columns that are no member. */
  unknown: readonly string[]
  /** Columns whose members the service sets. */
  readOnly: readonly string[]
  /** Columns that are named again: nothing is read. */
  repeated: readonly string[]
  rows: readonly (ImportLine & { values: Values })[]
  refused: readonly (ImportLine & { fault: LineFault })[]
}

export function prepareCsv(entity: EntityDescription, [head, ...lines]: readonly CsvLine[]): Prepared {
  const columns = (head?.cells ?? []).map((name, index) => name.trim() || `#${index + 1}`)
  const repeated = columns.filter((name, index) => columns.indexOf(name) < index)
  const results =
    repeated.length > 0 ? [] : lines.map((line) => ({ ...line, ...readLine(entity, columns, line) }))
  return prepared(entity, columns, repeated, results)
}

export function prepareJson(entity: EntityDescription, items: readonly unknown[]): Prepared {
  const objects = items.filter(isObject)
  const columns = [...new Set(objects.flatMap((item) => Object.keys(item)))]
  const fields = writable(entity)
  const results = items.map((item, index) => {
    const line = index + 1
    if (!isObject(item)) return { line, cells: [cellOf(item)], fault: { kind: 'object' } as const }
    const given = [...fields].filter(([name]) => Object.hasOwn(item, name))
    return {
      line,
      cells: columns.map((name) => cellOf(item[name])),
      values: Object.fromEntries(given.map(([name, field]) => [name, givenValue(field, item[name])])),
    }
  })
  return prepared(entity, columns, [], results)
}

type Result = ImportLine & ({ values: Values } | { fault: LineFault })

function prepared(
  entity: EntityDescription,
  columns: readonly string[],
  repeated: readonly string[],
  results: readonly Result[],
): Prepared {
  const fields = writable(entity)
  const known = new Set(['id', ...allFields(entity).map(({ name }) => name)])
  // A file that is read with the wrong separator would make empty rows.
  const hasMembers = columns.some((name) => fields.has(name))
  return {
    columns,
    repeated,
    unknown: columns.filter((name) => !known.has(name)),
    readOnly: columns.filter((name) => known.has(name) && !fields.has(name)),
    rows: hasMembers ? results.filter((each) => 'values' in each) : [],
    refused: results.filter((each) => 'fault' in each),
  }
}

function readLine(
  entity: EntityDescription,
  columns: readonly string[],
  { cells, isBroken }: CsvLine,
): { values: Values } | { fault: LineFault } {
  if (isBroken) return { fault: { kind: 'quotes' } }
  if (cells.length > columns.length)
    return { fault: { kind: 'cells', count: cells.length, expected: columns.length } }
  const fields = writable(entity)
  const values: Record<string, unknown> = {}
  for (const [index, column] of columns.entries()) {
    const field = fields.get(column)
    if (field === undefined) continue
    const cell = cells[index] ?? ''
    const read = readCell(field, cell)
    if ('fault' in read) return { fault: { kind: 'cell', column, cell, fault: read.fault } }
    if (read.value !== undefined) values[column] = givenValue(field, read.value)
  }
  return { values }
}

function writable({ fields }: EntityDescription): ReadonlyMap<string, FieldDescription> {
  return new Map(fields.filter(({ isReadOnly }) => !isReadOnly).map((field) => [field.name, field]))
}
