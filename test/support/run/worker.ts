/**
 * Runs test files one after another in one process, because loading the service takes longer than the tests of most
 * files. The run names each file when the one before has ended.
 */
import './promise-tracking.ts'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { describe } from 'node:test'
import fc from 'fast-check'
import { enterFile } from './current-file.ts'
import { runSeed } from './extent.ts'
import { LeftOpen } from './left-open.ts'
import { type NextFile, tell } from './messages.ts'
import { endShared, keepShared } from './shared-resources.ts'
import { loadStripped } from './stripped-sources.ts'
import { beginLimit } from './time-limit.ts'

const project = resolve(import.meta.dirname, '../../..')
const load = createRequire(import.meta.url)
loadStripped(resolve(project, 'node_modules/.cache', `stripped-${process.version}.json`))

// For the processes that tests start.
const compileCache = process.env['TEST_COMPILE_CACHE']
if (compileCache !== undefined) process.env['NODE_COMPILE_CACHE'] = compileCache
fc.configureGlobal({ seed: runSeed })
keepShared()
const leftOpen = new LeftOpen()
const endAlone = (): never => process.exit(1) // nobody hears what the tests say
process.once('disconnect', endAlone)
let next = nextFile()
tell({ kind: 'ready' })
for (let file = await next; file !== null; file = await next) {
  enterFile(file)
  next = nextFile() // the reporter says that the file has ended
  const path = resolve(project, file)
  // A suite at the root is awaited to its end. Its file is loaded at once: tests that are declared later have no suite.
  await describe(file, { signal: beginLimit() }, () => void load(path))
  leftOpen.note(file)
}
await endShared()
process.off('disconnect', endAlone)
process.disconnect?.()
leftOpen.endSoon(Number(process.env['TEST_END_WAIT_MS']))

function nextFile(): Promise<string | null> {
  return new Promise((done) => process.once('message', ({ file }: NextFile) => done(file)))
}
