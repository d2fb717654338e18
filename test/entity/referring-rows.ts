/** Customers, their invoices and the reminders of these: rows that refer to others. */
import assert from 'node:assert/strict'
import { entity, integer, many, money, oneOf, reference, text } from '../../src/index.ts'
import type { Client } from '../support/client.ts'
import { migrated } from './migrated.ts'

const customer = entity('customer', { fields: { name: text(), note: text({ max: 100_000 }).optional() } })
const invoice = entity('invoice', {
  fields: {
    customer: reference(customer),
    payer: reference(customer).optional(),
    total: money(),
    status: oneOf('draft', 'sent'),
    lines: many({ text: text(), quantity: integer() }),
  },
})
const reminder = entity('reminder', { fields: { invoice: reference(invoice), text: text() } })
/** Only for administrators. */
const verdict = entity('verdict', { fields: { customer: reference(customer) }, access: { list: 'admin' } })

export const referring = migrated([customer, invoice, reminder, verdict])

// biome-ignore lint/suspicious/noExplicitAny: rows of any entity
export type Row = any

export interface ReferringRows {
  /** The last one has no invoice. */
  owners: Row[]
  owned: Row[]
  reminders: Row[]
}

const customers = 5
const invoices = 40

export async function newReferringRows(user: Client): Promise<ReferringRows> {
  const make = async (path: string, body: object): Promise<Row> => {
    const made = await user.post(path, body)
    assert.equal(made.status, 201, made.text)
    return made.body
  }
  const rows: ReferringRows = { owners: [], owned: [], reminders: [] }
  const { owners, owned, reminders } = rows
  for (let index = 0; index < customers; index++)
    owners.push(await make('/api/customers', { name: `Customer ${(index * 3) % customers}` }))
  for (let index = 0; index < invoices; index++) {
    const made = await make('/api/invoices', {
      customerId: owners[(index * index) % (customers - 1)].id,
      payerId: index % 3 === 0 ? null : owners[index % customers].id,
      total: ((index * 7) % 10) + 0.5,
      status: index % 2 === 0 ? 'draft' : 'sent',
      lines: Array.from({ length: index % 3 }, (_each, quantity) => ({ text: 'Desk', quantity })),
    })
    owned.push(made)
    if (index % 4 === 0)
      reminders.push(await make('/api/reminders', { invoiceId: made.id, text: `${index}` }))
  }
  return rows
}
