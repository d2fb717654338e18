import { entity, file, like, reference, text, user } from '../../src/index.ts'
import { ticket } from './ticket.ts'

/** A message about a ticket, which the customer and the team can read. */
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
  console: {
    icon: 'message-square',
    group: 'Support',
    hidden: 'navigation',
    widgets: { body: 'markdown' },
  },
  labels: {
    de: {
      one: 'Kommentar',
      many: 'Kommentare',
      gender: 'm',
      fields: { ticket: 'Ticket', author: 'Verfasser', body: 'Text', attachment: 'Anhang' },
    },
    fr: {
      one: 'commentaire',
      many: 'commentaires',
      gender: 'm',
      fields: { ticket: 'Ticket', author: 'Auteur', body: 'Texte', attachment: 'Pièce jointe' },
    },
  },
})

/** A message about a ticket, which only the team can read. */
export const note = entity('note', {
  fields: {
    ticket: reference(ticket),
    body: text({ max: 5000 }),
    file: file({ types: ['application/pdf'] }).optional(),
  },
  trash: { days: 30 },
  access: { read: 'admin', write: 'admin', rows: like('ticket') },
  console: { icon: 'lock', group: 'Support', hidden: 'navigation', widgets: { body: 'markdown' } },
  labels: {
    de: {
      one: 'interne Notiz',
      many: 'interne Notizen',
      fields: { ticket: 'Ticket', body: 'Text', file: 'Datei' },
    },
    fr: {
      one: 'note interne',
      many: 'notes internes',
      gender: 'f',
      fields: { ticket: 'Ticket', body: 'Texte', file: 'Fichier' },
    },
  },
})
