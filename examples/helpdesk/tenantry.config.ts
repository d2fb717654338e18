import { consolePage, defineConfig } from '../../src/index.ts'
import { comment, note } from './comment.ts'
import { customer } from './customer.ts'
import { team, teamMember } from './team.ts'
import { ticket } from './ticket.ts'

const shared = ['ticket', 'comment', 'file'].flatMap((name) => [`${name}:read`, `${name}:write`] as const)

export default defineConfig({
  features: [team, teamMember, customer, ticket, comment, note],
  roles: {
    Customer: [...shared, 'customer:read', 'team:read'],
    Agent: [...shared, 'customer:read', 'team:read', 'ticket:internal', 'note:read', 'note:write'],
  },
  defaultRoles: { invitation: 'Customer' },
  console: {
    pages: {
      workload: {
        label: 'Workload',
        labels: { de: 'Auslastung', fr: 'Charge' },
        icon: 'chart-bar',
        permission: 'ticket:internal',
        content: consolePage(new URL('pages/workload/', import.meta.url)),
      },
    },
    panels: {
      'customer-tickets': {
        label: 'Other tickets of the customer',
        labels: { de: 'Weitere Tickets des Kunden', fr: 'Autres tickets du client' },
        place: 'row.side',
        entity: 'ticket',
        permission: 'ticket:internal',
        content: consolePage(new URL('panels/customer-tickets/', import.meta.url)),
      },
    },
  },
})
