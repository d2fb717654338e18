/** Re-encrypts the secrets of one database under the current master key, while the service runs. */
import { setTimeout as delay } from 'node:timers/promises'
import { CannotDecrypt, type SecretBox } from '../../core/encryption/secret-box.ts'
import {
  countUnderOtherKeys,
  type EncryptedColumn,
  type EncryptedRow,
  hasEncryptedColumn,
  replaceEncrypted,
  rowsUnderOtherKeys,
} from '../../database/encrypted-rows.ts'
import type { Database } from '../../database/executor.ts'

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

/** Can be stopped at any point and run again: re-encrypted values are recognized by their prefix. */
export async function reencryptDatabase(
  database: Database,
  columns: readonly EncryptedColumn[],
  { secretBox, dryRun }: { secretBox: SecretBox; dryRun: boolean },
): Promise<Reencrypted> {
  const all: Reencrypted = { done: 0, undecryptable: 0, left: 0 }
  for (const column of columns) {
    if (!(await hasEncryptedColumn(database.executor, column))) continue
    const { done, undecryptable, left } = await reencryptColumn(database, column, { secretBox, dryRun })
    all.done += done
    all.undecryptable += undecryptable
    all.left += left
  }
  return all
}

async function reencryptColumn(
  database: Database,
  column: EncryptedColumn,
  { secretBox, dryRun }: { secretBox: SecretBox; dryRun: boolean },
): Promise<Reencrypted> {
  let done = 0
  for (let round = 1; ; round++) {
    const reencrypted = await reencryptRows(database, column, { secretBox, dryRun })
    done += reencrypted.done
    const left = await countUnderOtherKeys(database.executor, column, secretBox.prefix)
    if (dryRun || left <= reencrypted.undecryptable || round === maxRounds) {
      return { done, undecryptable: reencrypted.undecryptable, left }
    }
    await delay(pauseMs)
  }
}

type RowsResult = Pick<Reencrypted, 'done' | 'undecryptable'>

/** One pass over all rows. */
async function reencryptRows(
  database: Database,
  column: EncryptedColumn,
  { secretBox, dryRun }: { secretBox: SecretBox; dryRun: boolean },
): Promise<RowsResult> {
  const slice = { prefix: secretBox.prefix, limit: batchSize }
  let after: readonly unknown[] | null = null
  let done = 0
  let undecryptable = 0
  for (;;) {
    const from: readonly unknown[] | null = after
    const batch: RowsResult & { rows: EncryptedRow[] } = dryRun
      ? await countBatch(database, column, { ...slice, after: from, secretBox })
      : await reencryptBatch(database, column, { ...slice, after: from, secretBox })
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
  secretBox: SecretBox
}

async function countBatch({ executor }: Database, column: EncryptedColumn, { secretBox, ...slice }: Batch) {
  const rows = await rowsUnderOtherKeys(executor, column, { ...slice, lock: false })
  const decrypted = rows.filter((row) => reencryptOrNull(secretBox, row, column) !== null).length
  return { rows, done: decrypted, undecryptable: rows.length - decrypted }
}

function reencryptBatch(database: Database, column: EncryptedColumn, { secretBox, ...slice }: Batch) {
  return database.transaction(async (transaction) => {
    const rows = await rowsUnderOtherKeys(transaction, column, { ...slice, lock: true })
    let done = 0
    let undecryptable = 0
    for (const row of rows) {
      const encrypted = reencryptOrNull(secretBox, row, column)
      if (encrypted === null) undecryptable++
      else if (await replaceEncrypted(transaction, column, row, encrypted)) done++
    }
    return { rows, done, undecryptable }
  })
}

/** @returns `null` for a value that no key decrypts */
function reencryptOrNull(
  secretBox: SecretBox,
  { encrypted }: EncryptedRow,
  { purpose }: EncryptedColumn,
): Uint8Array | null {
  try {
    return secretBox.reencrypt(encrypted, purpose)
  } catch (error) {
    if (error instanceof CannotDecrypt) return null
    throw error
  }
}
