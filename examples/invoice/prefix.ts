import { Type } from 'typebox'
import { type Feature, route, ServiceError, setting, tenantSetting } from '../../src/index.ts'
import { invoice } from './invoice.ts'

const Prefix = Type.String({
  maxLength: 10,
  description: 'What precedes the number of an invoice',
  examples: ['INV-'],
})

const labels = { de: 'Präfix der Rechnungen', fr: 'Préfixe des factures' }
const settings = { invoicePrefix: setting(Prefix, { default: 'INV-', labels }) }

/** Shows the number of an invoice with a prefix, which each tenant can set. */
export const invoicePrefix: Feature = {
  name: 'invoicePrefix',
  tenantSettings: settings,
  routes: [
    route({
      method: 'GET',
      path: '/api/invoices/:id/label',
      summary: 'Get the number of an invoice as it is printed',
      tag: 'Invoices',
      access: 'user',
      reply: Type.Object({ label: Type.String({ examples: ['INV-7'] }) }),
      errors: ['notFound'],
      handle: async (context, { path }) => {
        const found = await invoice.find(context, path['id'] ?? '')
        if (found === null) throw new ServiceError('notFound', 'There is no such invoice.')
        return { label: `${await tenantSetting(context, settings.invoicePrefix)}${found.number}` }
      },
    }),
  ],
}
