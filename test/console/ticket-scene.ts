/** An application of tickets, with a field for each layout of a list. */
import { date, entity, money, oneOf, sequence, text } from '../../src/index.ts'
import { migrated } from '../entity/migrated.ts'
import type { TestTenant } from '../support/service.ts'

export const ticket = entity('ticket', {
  description: 'A question of a customer.',
  fields: {
    subject: text({ max: 40 }),
    number: sequence(),
    status: oneOf('open', 'waiting', 'closed').default('open'),
    dueOn: date().optional(),
    budget: money({ min: 0 }).optional(),
    description: text({ max: 20_000 }).optional(),
  },
  search: ['subject', 'description'],
  console: {
    icon: 'ticket',
    title: 'subject',
    subtitle: '#{number}',
    list: {
      columns: ['subject', 'status', 'dueOn', 'budget'],
      sort: 'number',
      views: [{ name: 'Waiting', filter: { status: 'waiting' } }],
    },
    badges: { status: { open: 'info', waiting: 'warn', closed: 'good' } },
  },
})

export const ticketOptions = { features: migrated([ticket]) }

/** @returns their ids */
export async function addTickets(tenant: TestTenant, tickets: readonly object[]): Promise<string[]> {
  const ids: string[] = []
  for (const members of tickets) ids.push((await tenant.admin.post('/api/tickets', members)).body.id)
  return ids
}
