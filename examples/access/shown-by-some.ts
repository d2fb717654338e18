import { any, entity, like, money, reference, text, user } from '../../src/index.ts'

export const employee = entity('employee', {
  fields: { name: text(), person: user(), manager: user() },
  access: { write: 'admin' },
})

export const salary = entity('salary', {
  fields: { employee: reference(employee), monthly: money() },
  unique: [['employee']],
  access: {
    write: 'admin',
    rows: {
      read: ({ row, actor }) =>
        any(row.at('employee.person').is(actor.id), row.at('employee.manager').is(actor.id)),
    },
  },
})

export const payslip = entity('payslip', {
  fields: { salary: reference(salary), month: text({ max: 7 }) },
  access: { write: 'admin', rows: like('salary') },
})
