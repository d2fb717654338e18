import { entity, text } from '../../src/index.ts'

export const customer = entity('customer', {
  fields: { name: text({ ignoreCase: true }), email: text({ max: 200 }).optional() },
  unique: [['name']],
  search: ['name'],
  console: { icon: 'users', subtitle: '{email}', widgets: { email: 'email' } },
})
