/**
 * Runs test files one after another in one process, as many as it gets before the other workers have taken the rest:
 * loading the service and warming it up takes longer than the tests of most files.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { describe } from 'node:test'
import { pathToFileURL } from 'node:url'
import { filesName } from './run-folder.ts'

const project = resolve(import.meta.dirname, '..')
const folder = process.env['TEST_RUN_FOLDER'] ?? ''
const timeout = Number(process.env['TEST_FILE_TIMEOUT_MS'])
const files: string[] = JSON.parse(readFileSync(join(folder, filesName), 'utf8'))

for (const [index, file] of files.entries()) {
  // A suite at the root is awaited to its end.
  if (isFree(index)) await describe(relative(project, file), { timeout }, () => load(file))
}

/** Takes it, unless another worker has: nothing is made where a folder is. */
function isFree(index: number): boolean {
  return mkdirSync(join(folder, `taken-${index}`), { recursive: true }) !== undefined
}

async function load(file: string): Promise<void> {
  await import(pathToFileURL(file).href)
}
