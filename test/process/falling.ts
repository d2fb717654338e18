/** An application that fails on SIGHUP. */
import { entry } from '../database/schema/application.ts'

const { runCommandLine }: typeof import('../../src/index.ts') = await import(entry)

process.once('SIGHUP', () => {
  throw new Error('unawaited')
})
process.exitCode = await runCommandLine(process.argv.slice(2))
