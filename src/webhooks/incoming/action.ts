/** The built-in actions `publish` and `log`. */
import { Type } from 'typebox'
import { refusal } from '../../core/errors.ts'
import { publishIncoming } from '../../core/events/publish.ts'
import { type ActionCatalogue, action } from '../../core/feature/action.ts'

export const builtInActions: ActionCatalogue = {
  /** Publishes the body as an event `<provider>.<type>`. */
  publish: action({
    access: 'event:publish',
    payload: Type.Object({}, { additionalProperties: true }),
    run: async (context, { provider, type, payload }) => {
      if (type === null) throw refusal('eventWithoutType')
      await publishIncoming(context, `${provider}.${type}`, payload)
    },
  }),
  /** Writes the receipt to the log of the service, for instance to test a rule. */
  log: action({
    access: 'user',
    run: async ({ shared, tenant }, { receiptId, provider, type, id }) => {
      shared.log.info({ tenantId: tenant.id, receiptId, provider, type, eventId: id }, 'webhook received')
    },
  }),
}
