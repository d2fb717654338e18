import { any, entity, oneOf, text, user } from '../../src/index.ts'

export const article = entity('article', {
  fields: { title: text(), author: user(), state: oneOf('draft', 'published').default('draft').readOnly() },
  sort: ['state'],
  actions: { publish: { from: { state: 'draft' }, to: { state: 'published' } } },
  access: {
    read: 'public',
    rows: {
      read: ({ row, actor }) => any(row.state.is('published'), row.author.is(actor.id)),
      create: ({ row, actor }) => row.author.is(actor.id),
      update: ({ row, actor }) => row.author.is(actor.id),
    },
  },
})
