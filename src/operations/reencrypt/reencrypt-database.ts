/** Re-encrypts the secrets of one database under the current master key, while the service runs. */
import { setTimeout as delay } from 'node:timers/promises'
import { CannotUnseal, type Sealer } from '../../core/encryption/secret-box.ts'
import type { Database } from '../../database/executor.ts'
import {
  countSealedOtherwise,
  hasSealedColumn,
  replaceSealed,
  rowsSealedOtherwise,
  type SealedColumn,
  type SealedRow,
} from '../../database/sealed-rows.ts'

export interface Reencrypted {
  /** Values that were re-encrypted; in a dry run, values that would be. */
  done: number
  /** Values that no key decrypts. */
  undecryptable: number
  /** Values still encrypted under another key, including those that no key decrypts. */
  left: number
}

/** Rows per transaction: other writers wait for a fraction of a second. */
const batchSize = 100
/** Rows that another transaction is changing are left for the next round. */
const maxRounds = 20
const pauseMs = 100

/** Can be stopped at any point and run again: re-encrypted values are known by their prefix. */
export async function reencryptDatabase(
  database: Database,
  columns: readonly SealedColumn[],
  { sealer, dryRun }: { sealer: Sealer; dryRun: boolean },
): Promise<Reencrypted> {
  const all: Reencrypted = { done: 0, undecryptable: 0, left: 0 }
  for (const column of columns) {
    if (!(await hasSealedColumn(database.executor, column))) continue
    const { done, undecryptable, left } = await reencryptColumn(database, column, { sealer, dryRun })
    all.done += done
    all.undecryptable += undecryptable
    all.left += left
  }
  return all
}

async function reencryptColumn(
  database: Database,
  column: SealedColumn,
  { sealer, dryRun }: { sealer: Sealer; dryRun: boolean },
): Promise<Reencrypted> {
  let done = 0
  for (let round = 1; ; round++) {
    const walked = await walk(database, column, { sealer, dryRun })
    done += walked.done
    const left = await countSealedOtherwise(database.executor, column, sealer.prefix)
    if (dryRun || left <= walked.undecryptable || round === maxRounds) {
      return { done, undecryptable: walked.undecryptable, left }
    }
    await delay(pauseMs)
  }
}

type Walked = Pick<Reencrypted, 'done' | 'undecryptable'>

/** Once over all rows. */
async function walk(
  database: Database,
  column: SealedColumn,
  { sealer, dryRun }: { sealer: Sealer; dryRun: boolean },
): Promise<Walked> {
  const slice = { prefix: sealer.prefix, limit: batchSize }
  let after: readonly unknown[] | null = null
  let done = 0
  let undecryptable = 0
  for (;;) {
    const from: readonly unknown[] | null = after
    const batch: Walked & { rows: SealedRow[] } = dryRun
      ? await countBatch(database, column, { ...slice, after: from, sealer })
      : await reencryptBatch(database, column, { ...slice, after: from, sealer })
    done += batch.done
    undecryptable += batch.undecryptable
    if (batch.rows.length < batchSize) return { done, undecryptable }
    after = batch.rows.at(-1)?.key ?? null
  }
}

interface Batch {
  prefix: Uint8Array
  after: readonly unknown[] | null
  limit: number
  sealer: Sealer
}

async function countBatch({ executor }: Database, column: SealedColumn, { sealer, ...slice }: Batch) {
  const rows = await rowsSealedOtherwise(executor, column, { ...slice, lock: false })
  const opened = rows.filter((row) => reencryptOrNull(sealer, row, column) !== null).length
  return { rows, done: opened, undecryptable: rows.length - opened }
}

function reencryptBatch(database: Database, column: SealedColumn, { sealer, ...slice }: Batch) {
  return database.transaction(async (transaction) => {
    const rows = await rowsSealedOtherwise(transaction, column, { ...slice, lock: true })
    let done = 0
    let undecryptable = 0
    for (const row of rows) {
      const sealed = reencryptOrNull(sealer, row, column)
      if (sealed === null) undecryptable++
      else if (await replaceSealed(transaction, column, row, sealed)) done++
    }
    return { rows, done, undecryptable }
  })
}

/** @returns `null` for what none of the keys opens */
function reencryptOrNull(
  sealer: Sealer,
  { sealed }: SealedRow,
  { purpose }: SealedColumn,
): Uint8Array | null {
  try {
    return sealer.reseal(sealed, purpose)
  } catch (error) {
    if (error instanceof CannotUnseal) return null
    throw error
  }
}
