import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseBusy } from '../executor.ts'
import { translate } from './failure.ts'

const writersTimeoutMs = 5000
const readersTimeoutMs = 500
const maxAttempts = 10
/** Readers of this process end their snapshots meanwhile. */
const retryDelayMs = 200

/**
 * Writes the file anew with what is in it and nothing else, and empties its journal. Zeroing what is deleted would not
 * do: pages keep copies of rows that were changed or moved long before.
 * @throws DatabaseUnavailable; DatabaseBusy also while a reader of an older state keeps the journal
 */
export async function rewriteFile(path: string): Promise<void> {
  const connection = new DatabaseSync(path, { timeout: writersTimeoutMs })
  try {
    connection.exec('VACUUM')
    connection.exec(`PRAGMA busy_timeout = ${readersTimeoutMs}`)
    for (let tries = 0; tries < maxAttempts; tries++) {
      await delay(retryDelayMs)
      if (connection.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0) return
    }
    throw new DatabaseBusy(
      `Somebody reads an older state of ${path}, a backup for instance: try again when that is done.`,
    )
  } catch (error) {
    throw translate(error)
  } finally {
    connection.close()
  }
}
