/** Loaded into a service that is measured: on a signal it collects all garbage, and tells what is resident then. */
import { writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { collectedFile } from './kept-memory.ts'

setFlagsFromString('--expose-gc')
const collect: NodeJS.GCFunction = runInNewContext('gc')

process.on('SIGUSR2', () => {
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  writeFileSync(collectedFile, `${process.memoryUsage.rss() / 1e6}`)
})
