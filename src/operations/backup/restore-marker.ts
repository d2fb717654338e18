/** The marker file of an unfinished restore: a partly restored data folder must not be used. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseUnavailable } from '../../database/executor.ts'
import { syncToDisk } from './file.ts'

export const restoreMarker = 'restore-unfinished'

/** `clearing`: existing files are moved aside. `filling`: files of the backup are copied. */
export type RestoreStage = 'clearing' | 'filling'

/** @throws DatabaseUnavailable */
export function refuseUnfinishedRestore(dataDir: string): void {
  if (!existsSync(join(dataDir, restoreMarker))) return
  throw new DatabaseUnavailable(
    `A restore into ${dataDir} was not finished. Run tenantry restore again, or remove the folder.`,
  )
}

/** @returns `null` when there is no marker */
export function readRestoreStage(dataDir: string): RestoreStage | null {
  const path = join(dataDir, restoreMarker)
  if (!existsSync(path)) return null
  return readFileSync(path, 'utf8') === 'filling' ? 'filling' : 'clearing'
}

export async function writeRestoreMarker(dataDir: string, stage: RestoreStage): Promise<void> {
  writeFileSync(join(dataDir, restoreMarker), stage, { mode: 0o600, flush: true })
  await syncToDisk(dataDir)
}

export async function removeRestoreMarker(dataDir: string): Promise<void> {
  rmSync(join(dataDir, restoreMarker))
  await syncToDisk(dataDir)
}
