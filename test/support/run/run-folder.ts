/** The folder that the tests of one run share: their databases, and the list of test files. */
import { chmodSync, existsSync, mkdtempSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** In the folder of a run. */
export const filesName = 'files.json'

/** Runs after all others: a service under attack serves its other clients only if it has the processor for itself. */
export const aloneFile = 'test/siege/siege.test.ts'

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

/**
 * Writes the list of test files, in their order, which workers read.
 * @returns modules, each of which starts a worker
 */
export function writeWorkers(folder: string, files: readonly string[], workers: number): string[] {
  writeFileSync(join(folder, filesName), JSON.stringify(files))
  const worker = pathToFileURL(join(import.meta.dirname, 'worker.ts')).href
  return Array.from({ length: workers }, (_, index) => {
    const path = join(folder, `worker-${index + 1}.test.mjs`)
    writeFileSync(path, `await import(${JSON.stringify(worker)})\n`)
    return path
  })
}
