import { any, entity, money, oneOf, user } from '../../src/index.ts'

export const expense = entity('expense', {
  fields: {
    amount: money(),
    spender: user(),
    approver: user(),
    state: oneOf('open', 'approved').default('open').readOnly(),
  },
  actions: { approve: { from: { state: 'open' }, to: { state: 'approved' } } },
  access: {
    rows: {
      read: ({ row, actor }) => any(row.spender.is(actor.id), row.approver.is(actor.id)),
      create: ({ row, actor }) => row.spender.is(actor.id),
      approve: ({ row, actor }) => row.approver.is(actor.id),
      keep: ({ row, actor }) => any(row.spender.is(actor.id), row.approver.is(actor.id)),
    },
  },
})
