/** The process: runs the command that its arguments name, and sets the exit code. */
import { setFlagsFromString } from 'node:v8'
import { surroundingsOfProcess } from './cli/surroundings.ts'
import { runTenantry } from './cli/tenantry.ts'

/**
 * How much the heap may grow between garbage collections. By default V8 lets a small heap grow to four times its size,
 * and the garbage of large replies would stay until then.
 */
const heapGrowingPercent = 40

setFlagsFromString(`--heap-growing-percent=${heapGrowingPercent}`)
process.exitCode = await runTenantry(process.argv.slice(2), surroundingsOfProcess())
