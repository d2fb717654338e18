import { Type } from 'typebox'
import type { AuditCatalogue } from '../../core/audit/action.ts'
import type { EventCatalogue, PayloadsOf } from '../../core/events/event-type.ts'
import { RoleName } from './schema.ts'

const payload = Type.Object({ name: RoleName })
const access = 'admin'

export const roleEvents = {
  'role.created': { summary: 'A role was created.', payload, access },
  'role.updated': { summary: 'A role was changed.', payload, access },
  'role.deleted': { summary: 'A role was deleted.', payload, access },
} satisfies EventCatalogue

export const roleAudit = {
  'role.created': 'A role was created',
  'role.updated': 'A role was changed',
  'role.deleted': 'A role was deleted',
} satisfies AuditCatalogue

declare module '../../core/events/event-type.ts' {
  interface EventPayloads extends PayloadsOf<typeof roleEvents> {}
}

declare module '../../core/audit/action.ts' {
  interface AuditActions extends Record<keyof typeof roleAudit, string> {}
}
