/** The folder that the tests of one run share: their databases and other temporary files. */
import { chmodSync, existsSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file system in memory (Linux): a run creates and removes thousands of databases. */
const memory = '/dev/shm'
const neededBytes = 4 * 2 ** 30

/** @param inMemory where there is room, and `TMPDIR` names no other place */
export function makeRunFolder(inMemory: boolean): string {
  const parent = inMemory && process.env['TMPDIR'] === undefined && hasRoom(memory) ? memory : tmpdir()
  const folder = mkdtempSync(join(parent, 'tenantry-run-'))
  chmodSync(folder, 0o1777) // as folders for temporary files are: PostgreSQL runs as another user
  return folder
}

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize >= neededBytes
}
