/** The mark of an unfinished restore: a data folder that is restored in part must not be used. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseUnavailable } from '../../database/executor.ts'
import { syncToDisk } from './file.ts'

export const restoreMark = 'restore-unfinished'

/** `clearing`: existing files are moved aside. `filling`: files of the backup are copied. */
export type RestoreStage = 'clearing' | 'filling'

/** @throws DatabaseUnavailable */
export function refuseUnfinishedRestore(dataDir: string): void {
  if (!existsSync(join(dataDir, restoreMark))) return
  throw new DatabaseUnavailable(
    `A restore into ${dataDir} was not finished. Run tenantry restore again, or remove the folder.`,
  )
}

/** @returns `null` when there is no mark */
export function readRestoreStage(dataDir: string): RestoreStage | null {
  const path = join(dataDir, restoreMark)
  if (!existsSync(path)) return null
  return readFileSync(path, 'utf8') === 'filling' ? 'filling' : 'clearing'
}

export async function markRestore(dataDir: string, stage: RestoreStage): Promise<void> {
  writeFileSync(join(dataDir, restoreMark), stage, { mode: 0o600, flush: true })
  await syncToDisk(dataDir)
}

export async function unmarkRestore(dataDir: string): Promise<void> {
  rmSync(join(dataDir, restoreMark))
  await syncToDisk(dataDir)
}
