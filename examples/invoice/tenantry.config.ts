import { defineConfig } from '../../src/index.ts'
import { customer } from './customer.ts'
import { invoice } from './invoice.ts'

export default defineConfig({ features: [customer, invoice] })
