/**
 * Runs test files one after another in one process, because loading the service takes longer than the tests of most
 * files. Workers take files from a shared list. A process keeps what its tests have declared, and a large heap costs
 * time, so it ends after a number of files.
 */
import './promise-tracking.ts'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative, resolve } from 'node:path'
import { describe } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { BrowserTurn, isBrowserTest } from './browser-tests.ts'
import { enterFile } from './extent.ts'
import { LeftOpen } from './left-open.ts'
import { aloneFile, filesName } from './run-folder.ts'
import { endShared, keepShared } from './shared-resources.ts'
import { finishedPath, timesNow, timesSince } from './times.ts'

const project = resolve(import.meta.dirname, '../../..')
const folder = process.env['TEST_RUN_FOLDER'] ?? ''
const timeout = Number(process.env['TEST_FILE_TIMEOUT_MS'])
const files: string[] = JSON.parse(readFileSync(join(folder, filesName), 'utf8'))
const mostFiles = Number(process.env['TEST_FILES_PER_PROCESS'])
const load = createRequire(import.meta.url)

/** Keeps the process alive: the timers of a test may not. */
const stay = setInterval(() => undefined, 2 ** 31 - 1)

keepShared()
const leftOpen = new LeftOpen()
let taken = 0
const browser = new BrowserTurn(folder)
for (const [index, file] of files.entries()) {
  if (isBrowserTest(file) ? !browser.isOwn : taken >= mostFiles) continue
  if (!isFree(index)) continue
  taken++
  if (file.endsWith(aloneFile)) await othersEnded(index)
  const begin = timesNow()
  const name = relative(project, file)
  // A suite at the root is awaited to its end. Its file is loaded at once: tests that are declared later have no suite.
  enterFile(file)
  await describe(name, { timeout }, () => void load(file))
  writeFileSync(finishedPath(folder, index), JSON.stringify(timesSince(begin)))
  leftOpen.note(name)
}
await endShared()
clearInterval(stay)
leftOpen.endSoon()

/** For as long as a file may take: the process of one may have ended early. */
async function othersEnded(own: number): Promise<void> {
  const untilMs = performance.now() + timeout
  const isEnded = (index: number) => index === own || existsSync(finishedPath(folder, index))
  while (performance.now() < untilMs && !files.every((_, index) => isEnded(index))) await delay(200)
}

/** Takes the file unless another worker has: only one of them creates the folder. */
function isFree(index: number): boolean {
  return mkdirSync(join(folder, `taken-${index}`), { recursive: true }) !== undefined
}
