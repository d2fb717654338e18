/** The process: runs the command that its arguments name, and sets the exit code. */
import { setFlagsFromString } from 'node:v8'
import { surroundingsOfProcess } from './cli/surroundings.ts'
import { runTenantry } from './cli/tenantry.ts'

/**
 * - How much the heap may grow between garbage collections, in percent. By default V8 lets a small heap grow to four times
 *   its size, and the garbage of large replies would stay until then.
 * - Every object begins as a young one. By default V8 allocates objects of a kind that outlived some collections among the
 *   old ones from then on. A pause of a few seconds suffices for it to take requests for such: until a restart each then
 *   costs up to twice the time, because only a full collection frees it and what it refers to.
 */
const engineFlags = ['--heap-growing-percent=40', '--no-allocation-site-pretenuring']

for (const flag of engineFlags) setFlagsFromString(flag)
process.exitCode = await runTenantry(process.argv.slice(2), surroundingsOfProcess())
