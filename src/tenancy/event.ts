import { Type } from 'typebox'
import type { EventCatalogue, PayloadsOf } from '../core/events/event-type.ts'
import { Text } from '../core/schema/schema.ts'

const tenantId = Text(1, 64, { examples: ['acme'] })
const tenant = Type.Object({ tenantId, name: Text(1, 200, { examples: ['Acme'] }) })
const id = Type.Object({ tenantId })
const access = 'admin'

export const tenantEvents = {
  'tenant.created': { summary: 'The tenant was created.', payload: tenant, access },
  'tenant.updated': { summary: 'The tenant was changed.', payload: tenant, access },
  'tenant.deactivated': { summary: 'The tenant was deactivated.', payload: id, access },
  'tenant.reactivated': { summary: 'The tenant was activated again.', payload: id, access },
  'tenant.erased': {
    summary: 'A tenant was erased with everything it had. The host tenant gets this event.',
    payload: id,
    access,
  },
} satisfies EventCatalogue

declare module '../core/events/event-type.ts' {
  interface EventPayloads extends PayloadsOf<typeof tenantEvents> {}
}
