/** Estimates how much a tenant has in each table: the number of rows, times the mean width of the first rows. */
import { type Database, StatementTimedOut, type TimeAllowance } from '../../database/executor.ts'
import { allTenantTables, type TableShape } from '../rows/shape.ts'
import type { TableSize } from './schema.ts'
import { countOf, maxRows, sampledRows, sampleOf } from './sql.ts'

/** The time in the database for all tables together. */
const maxMeasureMs = 2000

/**
 * Reads the tables by scans, which let other reads pass.
 * @returns the tables with rows of the tenant, the largest first @throws DatabaseUnavailable
 */
export async function measureTables(database: Database, tenantId: string): Promise<TableSize[]> {
  const time = { leftMs: maxMeasureMs }
  const sizes: TableSize[] = []
  for (const shape of await allTenantTables(database.executor)) {
    const size = await measureTable(database, shape, { tenantId, time })
    if (size.rows > 0 || !size.isComplete) sizes.push(size)
  }
  return sizes.toSorted((one, other) => other.bytes - one.bytes)
}

/** The time to count the rows for a move. */
const maxCountMs = 10_000

/** @returns the number of all rows; `null` when counting takes too long @throws DatabaseUnavailable */
export async function countTenantRows(
  database: Database,
  shapes: readonly TableShape[],
  tenantId: string,
): Promise<number | null> {
  const time = { leftMs: maxCountMs }
  let rows = 0
  try {
    for (const shape of shapes) {
      const statement = countOf(database, shape, Number.MAX_SAFE_INTEGER)
      const [counted] = await read(database, statement, { tenantId, time })
      rows += Number(counted?.['rows'] ?? 0)
    }
    return rows
  } catch (error) {
    if (error instanceof StatementTimedOut) return null
    throw error
  }
}

async function measureTable(
  database: Database,
  shape: TableShape,
  { tenantId, time }: { tenantId: string; time: TimeAllowance },
): Promise<TableSize> {
  try {
    const [sample] = await read(database, sampleOf(database, shape), { tenantId, time })
    const rows = Number(sample?.['rows'] ?? 0)
    const width = Number(sample?.['bytes'] ?? 0) / Math.max(rows, 1)
    if (rows < sampledRows)
      return { name: shape.name, rows, bytes: Math.round(rows * width), isComplete: true }
    const [counted] = await read(database, countOf(database, shape, maxRows), { tenantId, time })
    const all = Number(counted?.['rows'] ?? 0)
    return { name: shape.name, rows: all, bytes: Math.round(all * width), isComplete: all < maxRows }
  } catch (error) {
    if (error instanceof StatementTimedOut) return { name: shape.name, rows: 0, bytes: 0, isComplete: false }
    throw error
  }
}

async function read(database: Database, sql: string, given: { tenantId: string; time: TimeAllowance }) {
  const { tenantId: owner, time } = given
  for await (const batch of database.scan(sql, [owner], { owner, time })) if (batch.length > 0) return batch
  return []
}
