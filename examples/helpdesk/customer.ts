import { any, entity, text, user } from '../../src/index.ts'

export const customer = entity('customer', {
  fields: { name: text(), contact: user() },
  trash: { days: 30 },
  access: {
    write: 'admin',
    rows: { read: ({ row, actor }) => any(row.contact.is(actor.id), actor.may('ticket:internal')) },
  },
})
