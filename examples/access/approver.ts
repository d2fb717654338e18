import { any, asTenant, entity, like, money, never, oneOf, reference, user } from '../../src/index.ts'

export const expense = entity('expense', {
  fields: {
    amount: money(),
    spender: user(),
    approver: user(),
    state: oneOf('open', 'approved').default('open'),
  },
  access: {
    rows: {
      read: ({ row, actor }) => any(row.spender.is(actor.id), row.approver.is(actor.id)),
      create: ({ row, actor }) => row.spender.is(actor.id),
      keep: ({ row, actor }) => row.spender.is(actor.id),
    },
    fields: { state: { write: never } },
  },
})

/** Created by the approver: the expense is approved. */
export const approval = entity('approval', {
  fields: { expense: reference(expense) },
  unique: [['expense']],
  hooks: {
    afterCreate: async ({ expenseId }, { context }) => {
      await expense.change(asTenant(context), expenseId, { state: 'approved' })
    },
  },
  access: {
    rows: {
      read: like('expense'),
      create: ({ row, actor }) => row.at('expense.approver').is(actor.id),
      keep: ({ row, actor }) => row.at('expense.approver').is(actor.id),
    },
  },
})
