/** The process: its arguments → a command → an exit code. */
import { setFlagsFromString } from 'node:v8'
import { runCommandLine } from './cli/command-line.ts'

/**
 * By how much the heap may grow before V8 looks for what is no longer needed. By itself V8 lets a small heap grow to
 * four times its size: what large replies leave behind would stay for as long.
 */
const heapGrowingPercent = 40

setFlagsFromString(`--heap-growing-percent=${heapGrowingPercent}`)
process.exitCode = await runCommandLine(process.argv.slice(2))
