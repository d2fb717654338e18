/** Exports or imports as the command line does, and ends with `kill -9` as soon as a phase is reached. */
import { pino } from 'pino'
import { openOperator } from '../../../src/cli/with-operator.ts'
import { loadConfig } from '../../../src/core/settings/config.ts'
import { exportTenant } from '../../../src/operations/archive/export.ts'
import { importTenant } from '../../../src/operations/archive/import.ts'

const [verb, what = '', to = '', phase] = process.argv.slice(2)
const config = loadConfig()
const { context, close } = await openOperator(config, { log: pino({ level: 'silent' }) })
const reached = (here: string): void => {
  if (here === phase) process.kill(process.pid, 'SIGKILL')
}
if (verb === 'export') await exportTenant(context, what, { to, reached })
else {
  const target = to === 'shared' ? null : to
  await importTenant(context, { from: what, to: target, folder: config.dataDir, reached })
}
await close()
