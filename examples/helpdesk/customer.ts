import { any, entity, text, user } from '../../src/index.ts'

export const customer = entity('customer', {
  fields: { name: text(), contact: user() },
  access: {
    write: 'admin',
    rows: { read: ({ row, actor }) => any(row.contact.is(actor.id), actor.may('ticket:internal')) },
  },
  console: {
    icon: 'building',
    tint: 'blue',
    group: 'Support',
    order: 2,
    related: { tickets: { columns: ['title', 'state', 'createdAt'], sort: '-createdAt', create: true } },
  },
  labels: {
    de: { one: 'Kunde', many: 'Kunden', gender: 'm', fields: { name: 'Name', contact: 'Ansprechpartner' } },
    fr: { one: 'client', many: 'clients', gender: 'm', fields: { name: 'Nom', contact: 'Contact' } },
  },
})
