import {
  entity,
  integer,
  many,
  money,
  multiply,
  oneOf,
  reference,
  sequence,
  sumOf,
  text,
} from '../../src/index.ts'
import { customer } from './customer.ts'

export const invoice = entity('invoice', {
  fields: {
    number: sequence(),
    customer: reference(customer),
    lines: many({ text: text(), quantity: integer({ min: 1, max: 1000 }), price: money() }, { min: 1 }),
    total: money().computed(),
    status: oneOf('draft', 'sent', 'paid', 'void').default('draft').readOnly(),
    note: text({ max: 2000 }).optional(),
  },
  search: ['note'],
  compute: { total: ({ lines }) => sumOf(lines.map(({ price, quantity }) => multiply(price, quantity))) },
  actions: {
    send: { from: { status: 'draft' }, to: { status: 'sent' }, event: 'sent' },
    pay: { from: { status: 'sent' }, to: { status: 'paid' }, event: 'paid' },
    void: { access: 'admin', to: { status: 'void' } },
  },
})
