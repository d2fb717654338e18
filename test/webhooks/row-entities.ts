/** Entities with rules of every kind that events of rows obey. */
import { any, entity, like, reference, text, user } from '../../src/index.ts'

export const team = entity('team', { fields: { name: text() }, access: { read: 'public', write: 'admin' } })
export const membership = entity('membership', { fields: { team: reference(team), member: user() } })
export const ticket = entity('ticket', {
  fields: {
    title: text(),
    secret: text().optional(),
    owner: user().optional(),
    team: reference(team).optional(),
    client: text({ max: 100 }).optional(),
    region: text().optional(),
  },
  sort: ['client', 'region'],
  access: {
    rows: ({ row, actor }) =>
      any(
        row.owner.is(actor.id),
        row.team.in(actor.via(membership, 'member', 'team')),
        row.client.is(actor.customer),
        row.region.in(actor.claims('regions')),
      ),
    fields: { secret: { read: 'ticket:secret' } },
  },
})
export const comment = entity('comment', {
  fields: { ticket: reference(ticket), body: text() },
  access: { rows: like('ticket') },
})
