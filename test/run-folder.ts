/** What the tests of one run share while it lasts: where their databases are, and which files share a process. */
import { chmodSync, existsSync, mkdtempSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'

/** A file system in memory, which Linux has: thousands of databases come and go in a run. */
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

interface Batching {
  project: string
  folder: string
  filesPerProcess: number
  fileTimeoutMs: number
}

/** Writes modules that declare the tests of so many files each, a suite for each file. @returns their paths */
export function writeBatches(files: readonly string[], batching: Batching): string[] {
  const { project, folder, filesPerProcess, fileTimeoutMs } = batching
  const declare = (file: string) =>
    `describe(${JSON.stringify(relative(project, file))}, { timeout: ${fileTimeoutMs} }, () =>
  import(${JSON.stringify(pathToFileURL(file).href)}))\n`
  const batches: string[] = []
  for (let first = 0; first < files.length; first += filesPerProcess) {
    const path = join(folder, `batch-${batches.length + 1}.test.mjs`)
    const suites = files.slice(first, first + filesPerProcess).map(declare)
    writeFileSync(path, `import { describe } from 'node:test'\n${suites.join('')}`)
    batches.push(path)
  }
  return batches
}
