/**
 * A backup copies rows first and contents after them, so a content whose row it has must not be removed in between.
 * Removers only look at the lock: whoever finds it free has committed the removal of the row before the backup began.
 */
import { join } from 'node:path'
import { contentLock, type Unlock } from '../../database/serving-lock.ts'
import { isLocked, lockUnderName } from '../../database/sqlite/lock-file.ts'

/**
 * Until it is released, or the process ends, no content of the store is removed. Several backups share it.
 * @param folder of the store; it is created if it is missing @throws DatabaseUnavailable
 */
export function keepContents(folder: string): Promise<Unlock> {
  return lockUnderName(join(folder, contentLock), 'backup')
}

export function areContentsKept(folder: string): boolean {
  return isLocked(join(folder, contentLock))
}
