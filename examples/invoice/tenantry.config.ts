import { defineConfig } from '../../src/index.ts'
import { customer } from './customer.ts'
import { invoiceDocument } from './document.ts'
import { invoice } from './invoice.ts'
import { payments } from './payments.ts'
import { invoicePrefix } from './prefix.ts'
import { reminder } from './reminder.ts'

export default defineConfig({
  features: [customer, invoice, invoiceDocument, invoicePrefix, payments, reminder],
})
