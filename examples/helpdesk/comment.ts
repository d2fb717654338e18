import { entity, file, like, reference, text, user } from '../../src/index.ts'
import { ticket } from './ticket.ts'

/** What the customer and the team write to each other. */
export const comment = entity('comment', {
  fields: {
    ticket: reference(ticket),
    author: user().optional().readOnly(),
    body: text({ max: 5000 }),
    attachment: file({ types: ['application/pdf', 'image/png'] }).optional(),
  },
  trash: { days: 30 },
  hooks: { beforeCreate: (_row, { context }) => ({ authorId: context.actor?.id ?? null }) },
  access: {
    rows: {
      read: like('ticket'),
      create: like('ticket'),
      update: ({ row, actor }) => row.author.is(actor.id),
    },
  },
})

/** What the team writes to itself. */
export const note = entity('note', {
  fields: {
    ticket: reference(ticket),
    body: text({ max: 5000 }),
    file: file({ types: ['application/pdf'] }).optional(),
  },
  trash: { days: 30 },
  access: { read: 'admin', write: 'admin', rows: like('ticket') },
})
