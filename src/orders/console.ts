/** How the console shows orders. */
import type { ActionHints } from '../core/feature/console-hints.ts'
import type { EntityDraft } from '../core/feature/entity-description.ts'

export const orderHints: Pick<EntityDraft, 'console' | 'defaultColumns'> = {
  defaultColumns: ['number', 'status', 'customerId', 'total', 'currency', 'createdAt'],
  console: {
    icon: 'shopping-cart',
    tint: 'green',
    group: 'Sales',
    subtitle: '{customerId}',
    list: {
      sort: '-createdAt',
      views: [
        { name: 'Pending', label: 'Pending', filter: { status: 'PENDING' }, sort: '-createdAt' },
        { name: 'Paid', label: 'Paid', filter: { status: 'PAID' }, sort: '-createdAt' },
      ],
    },
    sections: [
      { title: 'Items', fields: ['items'] },
      { title: 'Order', side: true, fields: ['number', 'status', 'customerId', 'total', 'currency'] },
    ],
    badges: [{ name: 'status', tones: { PENDING: 'warn', PAID: 'good', CANCELLED: 'neutral' } }],
  },
}

export const actionHints: Record<'pay' | 'cancel', ActionHints> = {
  pay: { icon: 'banknote', primary: true, bulk: true },
  cancel: { tone: 'bad', confirm: 'Cancel the order? It cannot be paid afterwards.' },
}
