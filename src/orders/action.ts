/** The action `order.pay`: marks the order of a payment event as paid. */
import { Type } from 'typebox'
import { refusal } from '../core/errors.ts'
import { type ActionCatalogue, action } from '../core/feature/action.ts'
import { isUuid } from '../core/id.ts'
import { getOrder, payOrder } from './order.ts'

const orderId = Type.Optional(Type.String({ maxLength: 100 }))

/** Stripe sends the id in the metadata of the payment. Other senders may put it directly into `data`. */
const payload = Type.Object({
  data: Type.Object({
    orderId,
    object: Type.Optional(Type.Object({ metadata: Type.Optional(Type.Object({ orderId })) })),
  }),
})

export const orderActions: ActionCatalogue = {
  'order.pay': action({
    access: 'order:write',
    payload,
    run: async (context, { payload: { data } }) => {
      const id = (data.object?.metadata?.orderId ?? data.orderId ?? '').toLowerCase()
      if (!isUuid(id)) throw refusal('eventWithoutOrder')
      const order = await getOrder(context, id)
      // Providers send several events for one payment.
      if (order.status !== 'PAID') await payOrder(context, id, null)
    },
  }),
}
