import { any, entity, file, money, oneOf, reference, text } from '../../src/index.ts'
import { customer } from './customer.ts'
import { team, teamMember } from './team.ts'
import { ticketLabels } from './ticket-labels.ts'

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
  actions: {
    close: { from: { state: 'open' }, to: { state: 'closed' } },
    reopen: { from: { state: 'closed' }, to: { state: 'open' } },
  },
  console: {
    icon: 'ticket',
    tint: 'amber',
    group: 'Support',
    order: 1,
    title: 'title',
    subtitle: '{customer.name} · {team.name}',
    image: 'screenshot',
    list: {
      columns: ['title', 'state', 'customer', 'team', 'createdAt'],
      sort: '-createdAt',
      density: 'normal',
      pageSize: 50,
      views: [
        { name: 'Open', filter: { state: 'open' } },
        { name: 'Board', filter: {}, layout: 'board', group: 'state' },
        { name: 'Old', filter: { state: 'open', 'createdAt[lt]': 'today-7' }, sort: 'createdAt' },
      ],
    },
    sections: [
      {
        title: 'Request',
        description: 'What is asked, and by whom.',
        fields: ['title', 'customer', 'screenshot'],
      },
      { title: 'Facts', side: true, fields: ['state', 'team', 'cost'] },
    ],
    widgets: { cost: { currency: 'EUR' } },
    badges: {
      state: { open: 'info', closed: 'neutral' },
      waiting: {
        if: { state: 'open', 'createdAt[lt]': 'today-7' },
        text: 'Waiting for a week',
        tone: 'warn',
      },
    },
    related: {
      comments: { columns: ['body', 'author', 'createdAt'], sort: 'createdAt', max: 20, create: true },
      notes: { columns: ['body', 'createdAt'], create: true },
    },
    actions: {
      close: { icon: 'check', primary: true, bulk: true, undo: 'reopen', key: 'x' },
      reopen: { icon: 'inbox', undo: 'close' },
    },
    home: { figure: 'count', label: 'Open tickets', if: { state: 'open' } },
  },
  labels: ticketLabels,
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
