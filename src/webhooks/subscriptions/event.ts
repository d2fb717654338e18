import { Type } from 'typebox'
import type { EventCatalogue, PayloadsOf } from '../../core/events/event-type.ts'
import { Nullable, StringEnum, Text, Timestamp, Uuid } from '../../core/schema/schema.ts'

const url = Text(1, 2048, {
  description: 'Only scheme and host of the receiver: the rest of the URL may be a secret',
  examples: ['https://example.com'],
})
const reason = StringEnum(['gone', 'failing', 'ownerGone', 'forbidden'], {
  description:
    'The receiver answered 410, or it failed for days; the owner was deleted, deactivated or revoked, or may see none ' +
    'of the events any more',
})

/** Who may subscribe to the events of any subscription of the tenant: others see only their own. */
const access = 'admin'

export const subscriptionEvents = {
  'webhook.test': {
    summary: 'A user has requested a test delivery. Only that subscription gets it.',
    payload: Type.Object({ subscriptionId: Uuid }),
    access: 'webhook:read',
  },
  'webhook.failing': {
    summary: 'A subscription has been failing for days.',
    payload: Type.Object({ subscriptionId: Uuid, url, failingSince: Timestamp }),
    access,
  },
  'webhook.deactivated': {
    summary: 'The service has deactivated a subscription.',
    payload: Type.Object({ subscriptionId: Uuid, url, reason, failingSince: Nullable(Timestamp) }),
    access,
  },
} satisfies EventCatalogue

declare module '../../core/events/event-type.ts' {
  interface EventPayloads extends PayloadsOf<typeof subscriptionEvents> {}
}
