import { Type } from 'typebox'
import type { AuditCatalogue } from '../../core/audit/action.ts'
import type { EventCatalogue, PayloadsOf } from '../../core/events/event-type.ts'
import { Uuid } from '../../core/schema/schema.ts'

const access = 'admin'
const created = Type.Object({ invitationId: Uuid })
const accepted = Type.Object({ invitationId: Uuid, userId: Uuid })

export const invitationEvents = {
  'invitation.created': { summary: 'Somebody was invited.', payload: created, access },
  'invitation.accepted': {
    summary: 'An invitation was accepted: there is a new user.',
    payload: accepted,
    access,
  },
} satisfies EventCatalogue

export const invitationAudit = {
  'invitation.created': 'Somebody was invited',
  'invitation.withdrawn': 'An invitation was withdrawn',
  'invitation.accepted': 'An invitation was accepted',
  'invitation.refused':
    'An invitation was refused when it was accepted, because of its roles or of who had invited',
} satisfies AuditCatalogue

declare module '../../core/events/event-type.ts' {
  interface EventPayloads extends PayloadsOf<typeof invitationEvents> {}
}

declare module '../../core/audit/action.ts' {
  interface AuditActions extends Record<keyof typeof invitationAudit, string> {}
}
