import { Type } from 'typebox'
import type { EventCatalogue, PayloadsOf } from '../../core/events/event-type.ts'
import { Text } from '../../core/schema/schema.ts'
import { maxSettings } from '../../core/tenant/settings/declared.ts'

export const tenantSettingEvents = {
  'tenant.configured': {
    summary: 'Settings of the tenant were changed.',
    payload: Type.Object({
      tenantId: Text(1, 64, { examples: ['acme'] }),
      changed: Type.Array(Type.String({ maxLength: 50 }), {
        maxItems: maxSettings,
        description: 'The names of the settings',
        examples: [['locale', 'timeZone']],
      }),
    }),
    access: 'admin',
  },
} satisfies EventCatalogue

declare module '../../core/events/event-type.ts' {
  interface EventPayloads extends PayloadsOf<typeof tenantSettingEvents> {}
}
