/** The marker file of an unfinished restore: a partly restored data folder must not be used. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseUnavailable } from '../../database/executor.ts'
import { syncToDisk } from './file.ts'

export const restoreMarker = 'restore-unfinished'

export interface UnfinishedRestore {
  /**
   * `clearing`: former files are moved aside; those that are left are not from the backup. `filling`: files of the
   * backup are copied; those that are there are from it, and a restore of the same backup may delete them.
   */
  stage: 'clearing' | 'filling'
  /** The backup, as `backupId` identifies it. */
  backup: string
}

/** @throws DatabaseUnavailable */
export function refuseUnfinishedRestore(dataDir: string): void {
  if (!existsSync(join(dataDir, restoreMarker))) return
  throw new DatabaseUnavailable(
    `A restore into ${dataDir} was not finished. Run tenantry restore again, or remove the folder.`,
  )
}

/** @returns `null` when there is no marker */
export function readUnfinishedRestore(dataDir: string): UnfinishedRestore | null {
  const path = join(dataDir, restoreMarker)
  if (!existsSync(path)) return null
  const [stage, backup = ''] = readFileSync(path, 'utf8').split('\n')
  return { stage: stage === 'filling' ? 'filling' : 'clearing', backup }
}

export async function writeRestoreMarker(
  dataDir: string,
  { stage, backup }: UnfinishedRestore,
): Promise<void> {
  writeFileSync(join(dataDir, restoreMarker), `${stage}\n${backup}\n`, { mode: 0o600, flush: true })
  await syncToDisk(dataDir)
}

export async function removeRestoreMarker(dataDir: string): Promise<void> {
  rmSync(join(dataDir, restoreMarker))
  await syncToDisk(dataDir)
}
