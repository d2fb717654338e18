/** Compares copied rows with their source, and reports the rows that differ. */
import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Executor, Row } from '../../database/executor.ts'
import { countRows, type Key, keyOf, pages, readRows } from './rows.ts'
import type { TableShape } from './shape.ts'

export interface RowComparison {
  tenant: string
  /** Tables whose target may hold further rows of the tenant. */
  shared: ReadonlySet<string>
  /** Columns that may differ, as `table.column`. */
  ignored: ReadonlySet<string>
}

export interface TableDigest {
  table: string
  rows: number
  /** SHA-256 over the digests of the rows in the order of their keys. */
  digest: string
}

/** The copy is not equal to its source. */
export class CopyDiffers extends Error {
  constructor(differences: readonly string[]) {
    super(`The copy differs from the source: ${differences.join('; ')}.`)
  }
}

const maxNamed = 5

/** @throws CopyDiffers */
export async function compareTables(
  from: Executor,
  to: Executor,
  shapes: readonly TableShape[],
  comparison: RowComparison,
): Promise<void> {
  const differences: string[] = []
  for (const shape of shapes) {
    let rows = 0
    const differing: Key[] = []
    for await (const page of pages(from, shape, comparison.tenant)) {
      differing.push(...(await compareRows(to, shape, page, comparison)))
      rows += page.length
      await nextTurn() // on SQLite the loop does not yield the thread by itself
    }
    if (differing.length > 0) differences.push(describeKeys(shape, differing))
    const copied = await countRows(to, shape, comparison.tenant)
    const isCountRight = comparison.shared.has(shape.name) ? copied >= rows : copied === rows
    if (!isCountRight) differences.push(`${shape.name} has ${rows} rows, its copy ${copied}`)
  }
  if (differences.length > 0) throw new CopyDiffers(differences)
}

/** @returns equal digests for tables with equal rows @param ignored columns, as `table.column` */
export async function digestTables(
  executor: Executor,
  shapes: readonly TableShape[],
  { tenant, ignored }: Pick<RowComparison, 'tenant' | 'ignored'>,
): Promise<TableDigest[]> {
  const digests: TableDigest[] = []
  for (const shape of shapes) {
    const columns = comparedColumns(shape, ignored)
    let rows = 0
    let digest = ''
    for await (const page of pages(executor, shape, tenant)) {
      digest = hash('sha256', digest + digestOfRows(page, columns))
      rows += page.length
      await nextTurn() // on SQLite the loop does not yield the thread by itself
    }
    digests.push({ table: shape.name, rows, digest })
  }
  return digests
}

/** @param rows of the source @returns the keys of the rows that differ in the target or are missing there */
export async function compareRows(
  to: Executor,
  shape: TableShape,
  rows: readonly Row[],
  { tenant, ignored }: RowComparison,
): Promise<Key[]> {
  const columns = comparedColumns(shape, ignored)
  const keys = rows.map((row) => keyOf(shape, row))
  const copies = await readRows(to, shape, tenant, keys)
  const byKey = new Map(copies.map((row) => [JSON.stringify(keyOf(shape, row)), digestOf(row, columns)]))
  const digests = rows.map((row) => digestOf(row, columns))
  return keys.filter((key, index) => byKey.get(JSON.stringify(key)) !== digests[index])
}

export function describeKeys(shape: TableShape, keys: readonly Key[]): string {
  const some = keys.slice(0, maxNamed).map((key) => key.join('/'))
  const more = keys.length > maxNamed ? ` and ${keys.length - maxNamed} more` : ''
  return `${shape.name} in ${some.join(', ')}${more}`
}

function comparedColumns(shape: TableShape, ignored: ReadonlySet<string>): string[] {
  return shape.columns.filter((column) => !ignored.has(`${shape.name}.${column}`))
}

function digestOfRows(rows: readonly Row[], columns: readonly string[]): string {
  return hash('sha256', rows.map((row) => digestOf(row, columns)).join())
}

/** Both databases return values in the same form, so that digests are comparable. */
function digestOf(row: Row, columns: readonly string[]): string {
  const values = columns.map((column) => {
    const value = row[column]
    return value instanceof Uint8Array ? { hex: Buffer.from(value).toString('hex') } : value
  })
  return hash('sha256', JSON.stringify(values))
}
