import { entity, text } from '../../src/index.ts'

export const customer = entity('customer', {
  fields: { name: text({ ignoreCase: true }), email: text({ max: 200 }).optional() },
  unique: [['name']],
  search: ['name'],
  console: {
    icon: 'users',
    tint: 'blue',
    group: 'Sales',
    subtitle: '{email}',
    widgets: { email: 'email' },
    related: { invoices: { columns: ['number', 'status', 'total'], sort: '-createdAt', create: true } },
  },
})
