import { Type } from 'typebox'
import type { AuditCatalogue } from '../../core/audit/action.ts'
import type { EventCatalogue, PayloadsOf } from '../../core/events/event-type.ts'
import { Text, Uuid } from '../../core/schema/schema.ts'

const access = 'admin'
const signUp = Type.Object({ signUpId: Uuid, tenantName: Text(1, 200, { examples: ['Acme'] }) })
const completed = Type.Object({ signUpId: Uuid, tenantId: Text(1, 64, { examples: ['acme'] }) })

export const signUpEvents = {
  'signUp.verified': {
    summary: 'The address of a sign-up was verified. The host tenant gets this event.',
    payload: signUp,
    access,
  },
  'signUp.completed': {
    summary: 'A sign-up has created a tenant. The host tenant gets this event.',
    payload: completed,
    access,
  },
  'signUp.rejected': {
    summary: 'An administrator rejected a sign-up. The host tenant gets this event.',
    payload: signUp,
    access,
  },
} satisfies EventCatalogue

export const signUpAudit = {
  'signUp.requested': 'Somebody signed up a tenant',
  'signUp.refused': 'Somebody used the link of a sign-up with a wrong password',
  'signUp.verified': 'The address of a sign-up was verified',
  'signUp.completed': 'A sign-up created its tenant',
  'signUp.approved': 'An administrator approved a sign-up, which created its tenant',
  'signUp.rejected': 'An administrator rejected a sign-up',
} satisfies AuditCatalogue

declare module '../../core/events/event-type.ts' {
  interface EventPayloads extends PayloadsOf<typeof signUpEvents> {}
}

declare module '../../core/audit/action.ts' {
  interface AuditActions extends Record<keyof typeof signUpAudit, string> {}
}
