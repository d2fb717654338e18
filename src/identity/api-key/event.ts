import { Type } from 'typebox'
import type { AuditCatalogue } from '../../core/audit/action.ts'
import type { EventCatalogue, PayloadsOf } from '../../core/events/event-type.ts'
import { Text, Uuid } from '../../core/schema/schema.ts'

const payload = Type.Object({ apiKeyId: Uuid, name: Text(1, 100, { examples: ['Nightly import'] }) })
const access = 'admin'

export const apiKeyEvents = {
  'apiKey.created': { summary: 'An API key was created.', payload, access },
  'apiKey.revoked': { summary: 'An API key was revoked.', payload, access },
} satisfies EventCatalogue

export const apiKeyAudit = {
  'apiKey.created': 'An API key was created',
  'apiKey.revoked': 'An API key was revoked',
  'apiKey.refused': 'An API key was used from an address that it does not allow; at most once a minute',
} satisfies AuditCatalogue

declare module '../../core/events/event-type.ts' {
  interface EventPayloads extends PayloadsOf<typeof apiKeyEvents> {}
}

declare module '../../core/audit/action.ts' {
  interface AuditActions extends Record<keyof typeof apiKeyAudit, string> {}
}
