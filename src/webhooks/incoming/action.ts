/** The actions `publish` and `log`; `order.pay` is the orders' own. */
import { Type } from 'typebox'
import { ServiceError } from '../../core/errors.ts'
import { publishIncoming } from '../../core/events/publish.ts'
import { type ActionCatalogue, action } from '../../core/feature/action.ts'

export const builtInActions: ActionCatalogue = {
  /** Publishes `<provider>.<type>` with the body as it is. */
  publish: action({
    payload: Type.Object({}, { additionalProperties: true }),
    run: async (context, { provider, type, payload }) => {
      if (type === null) throw new ServiceError('invalid', 'The event has no type to be published under.')
      await publishIncoming(context, `${provider}.${type}`, payload)
    },
  }),
  log: action({
    run: async ({ shared, tenant }, { receiptId, provider, type, id }) => {
      shared.log.info({ tenantId: tenant.id, receiptId, provider, type, eventId: id }, 'webhook received')
    },
  }),
}
