/** An application that fails on SIGHUP. */
import { runCommandLine } from '../../src/index.ts'

process.once('SIGHUP', () => {
  throw new Error('A fault of the application.')
})
process.exitCode = await runCommandLine(process.argv.slice(2))
