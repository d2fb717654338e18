/**
 * Runs test files one after another in one process, as many as it gets before the other workers have taken the rest:
 * to load the service and warm it up takes longer than the tests of most files.
 */
import './promise-tracking.ts'
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative, resolve } from 'node:path'
import { describe } from 'node:test'
import { filesName } from './run-folder.ts'

const project = resolve(import.meta.dirname, '..')
const folder = process.env['TEST_RUN_FOLDER'] ?? ''
const timeout = Number(process.env['TEST_FILE_TIMEOUT_MS'])
const files: string[] = JSON.parse(readFileSync(join(folder, filesName), 'utf8'))
const load = createRequire(import.meta.url)

/** The process ends when nothing is left to wait for, and the timers of a test may not count. */
const stay = setInterval(() => undefined, 2 ** 31 - 1)

for (const [index, file] of files.entries()) {
  // A suite at the root is awaited to its end. Its file is loaded at once: tests that are declared later have no suite.
  if (isFree(index)) await describe(relative(project, file), { timeout }, () => void load(file))
}
clearInterval(stay)

/** Takes it, unless another worker has: nothing is made where a folder is. */
function isFree(index: number): boolean {
  return mkdirSync(join(folder, `taken-${index}`), { recursive: true }) !== undefined
}
