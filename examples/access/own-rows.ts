import { entity, text, user } from '../../src/index.ts'

export const memo = entity('memo', {
  fields: { text: text(), owner: user().optional().readOnly() },
  hooks: { beforeCreate: (_row, { context }) => ({ ownerId: context.actor?.id ?? null }) },
  access: { rows: ({ row, actor }) => row.owner.is(actor.id) },
})
