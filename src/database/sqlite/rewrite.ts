import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { translate } from './failure.ts'

const busyTimeoutMs = 5000
const mostTries = 5
/** Readers of this process end their snapshots meanwhile. */
const againAfterMs = 200

/**
 * Writes the file anew with what is in it and nothing else, and empties its journal. Zeroing what is deleted would not
 * do: pages keep copies of rows that were changed or moved long before.
 * @returns whether the journal could be emptied @throws DatabaseUnavailable
 */
export async function rewriteFile(path: string): Promise<boolean> {
  const connection = new DatabaseSync(path, { timeout: busyTimeoutMs })
  try {
    connection.exec('VACUUM')
    for (let tries = 0; tries < mostTries; tries++) {
      await delay(againAfterMs)
      if (connection.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0) return true
    }
    return false
  } catch (error) {
    throw translate(error)
  } finally {
    connection.close()
  }
}
