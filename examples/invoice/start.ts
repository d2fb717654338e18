import { readMigrations, runCommandLine } from '../../src/index.ts'
import { customer } from './customer.ts'
import { invoice } from './invoice.ts'
import { reminder } from './reminder.ts'

process.exitCode = await runCommandLine(process.argv.slice(2), {
  features: [customer, invoice, reminder],
  migrations: readMigrations(new URL('migrations', import.meta.url)),
})
