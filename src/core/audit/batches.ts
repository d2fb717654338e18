/** Reads records of the audit in batches, for a reader who may see only some of them. */
import { StatementTimedOut, type TimeAllowance } from '../../database/executor.ts'
import type { KeepRecords } from './record-reach.ts'
import type { AuditRow } from './sql.ts'

/** Reads the records before an id, the newest first. */
export type ReadRecords = (range: { before: string | null; limit: number }) => Promise<AuditRow[]>

interface Kept {
  before: string | null
  keep: KeepRecords
  /** The remaining time of the caller. The first batch is not charged, because most pages need only one. */
  time: TimeAllowance
}

const batchSize = 200

/**
 * Yields the records that the reader may see. It reads on until a page is full, because shorter pages would reveal that
 * there are other records.
 * @throws StatementTimedOut
 */
export async function* recordBatches(read: ReadRecords, { before, keep, time }: Kept) {
  let batch = await read({ before, limit: batchSize })
  yield await keep(batch)
  while (batch.length === batchSize) {
    if (time.leftMs <= 0) throw new StatementTimedOut('The records took too long.')
    const beganMs = performance.now()
    batch = await read({ before: batch.at(-1)?.id ?? null, limit: batchSize })
    const kept = await keep(batch)
    time.leftMs -= performance.now() - beganMs
    yield kept
  }
}

/** @returns at most `limit` records */
export async function firstRecords(batches: AsyncIterable<AuditRow[]>, limit: number): Promise<AuditRow[]> {
  const records: AuditRow[] = []
  for await (const batch of batches) {
    records.push(...batch)
    if (records.length >= limit) break
  }
  return records.slice(0, limit)
}

export async function countRecords(batches: AsyncIterable<AuditRow[]>): Promise<number> {
  let count = 0
  for await (const { length } of batches) count += length
  return count
}
