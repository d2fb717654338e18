/**
 * A backup copies rows first and contents afterwards. Meanwhile no content may be removed, because the copy
 * may have its row. Code that removes contents only looks at the lock: if it is free, the row was already
 * deleted before the backup begins.
 */
import { join } from 'node:path'
import { contentLock, type Unlock } from '../../database/serving-lock.ts'
import { isLocked, lockUnderName } from '../../database/sqlite/lock-file.ts'

/**
 * Takes the lock, which several backups can share. No content of the store is removed until it
 * is released, or the process ends.
 * @param folder the folder of the store, which is created if it is missing
 * @throws DatabaseUnavailable
 */
export function keepContents(folder: string): Promise<Unlock> {
  return lockUnderName(join(folder, contentLock), 'backup')
}

export function areContentsKept(folder: string): boolean {
  return isLocked(join(folder, contentLock))
}
