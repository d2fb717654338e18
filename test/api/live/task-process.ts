/** The application whose lists are followed, as a process. */
import { runCommandLine } from '../../../src/cli/command-line.ts'
import { atAnyCost } from '../../support/service.ts'
import { taskApp } from './task-app.ts'

process.exitCode = await runCommandLine(process.argv.slice(2), { ...taskApp, ...atAnyCost })
