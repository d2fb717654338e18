/** The process: runs the command that its arguments name, and sets the exit code. */
import { setFlagsFromString } from 'node:v8'
import { surroundingsOfProcess } from './cli/surroundings.ts'
import { runTenantry } from './cli/tenantry.ts'

/**
 * - How much the heap may grow between garbage collections, in percent. By default V8 lets a small heap grow to four times
 *   its size, and the garbage of large replies would stay until then.
 * - Every object begins as a young one. By default V8 notes which kinds of objects outlive some collections, and then
 *   creates these kinds as old objects, which only a full collection frees. After a load and a pause it may take the
 *   objects of requests for such: until a restart, each request then costs up to twice the processor time.
 */
const engineFlags = ['--heap-growing-percent=40', '--no-allocation-site-pretenuring']

for (const flag of engineFlags) setFlagsFromString(flag)
process.exitCode = await runTenantry(process.argv.slice(2), surroundingsOfProcess())
