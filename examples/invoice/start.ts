import { readMigrations, runCommandLine } from '../../src/index.ts'
import { customer } from './customer.ts'
import { invoiceDocument } from './document.ts'
import { invoice } from './invoice.ts'

process.exitCode = await runCommandLine(process.argv.slice(2), {
  features: [customer, invoice, invoiceDocument],
  migrations: readMigrations(new URL('migrations', import.meta.url)),
})
