import { entity, file, reference } from '../../src/index.ts'
import { invoice } from './invoice.ts'

/** The PDF of an invoice, as it was sent. */
export const invoiceDocument = entity('invoiceDocument', {
  fields: {
    invoice: reference(invoice),
    pdf: file({ types: ['application/pdf'], maxBytes: 10_000_000 }),
  },
  unique: [['invoice']],
})
