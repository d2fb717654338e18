import { any, entity, file, money, oneOf, reference, text } from '../../src/index.ts'
import { customer } from './customer.ts'
import { team, teamMember } from './team.ts'

export const ticket = entity('ticket', {
  fields: {
    title: text(),
    customer: reference(customer),
    team: reference(team).optional(),
    state: oneOf('open', 'closed').default('open').readOnly(),
    cost: money().default(0),
    screenshot: file({ types: ['image/png', 'image/jpeg'] }).optional(),
  },
  search: ['title'],
  trash: { days: 30 },
  actions: { close: { from: { state: 'open' }, to: { state: 'closed' } } },
  access: {
    delete: 'admin',
    rows: ({ row, actor }) =>
      any(row.at('customer.contact').is(actor.id), row.team.in(actor.via(teamMember, 'member', 'team'))),
    fields: {
      customer: { write: 'once' },
      team: { write: 'ticket:internal' },
      cost: { read: 'ticket:internal', write: 'ticket:internal' },
    },
  },
})
