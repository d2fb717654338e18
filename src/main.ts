/** The process: its arguments → a command → an exit code. */
import { runCommandLine } from './cli/command-line.ts'

process.exitCode = await runCommandLine(process.argv.slice(2))
