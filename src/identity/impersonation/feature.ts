import { Type } from 'typebox'
import type { AuditCatalogue } from '../../core/audit/action.ts'
import type { EventCatalogue, PayloadsOf } from '../../core/events/event-type.ts'
import type { Feature } from '../../core/feature/feature.ts'
import { Text, Timestamp, Uuid } from '../../core/schema/schema.ts'
import type { AccessTokens } from '../session/access-token.ts'
import { allowImpersonation } from './impersonation.ts'
import { impersonationRoutes } from './rest.ts'
import { reason } from './schema.ts'

const name = Text(1, 256, { examples: ['ada'] })

const impersonated = Type.Object({
  userId: Uuid,
  userName: name,
  impersonatorId: Uuid,
  impersonatorName: name,
  reason,
  expiresAt: Timestamp,
})

const impersonationEvents = {
  'user.impersonated': {
    summary: 'An administrator of the host began to act as a user.',
    payload: impersonated,
    access: 'admin',
  },
} satisfies EventCatalogue

export const impersonationAudit = {
  'user.impersonated': 'An administrator of the host tenant began to act as a user',
  'user.impersonationEnded': 'Acting as a user was ended before its time',
} satisfies AuditCatalogue

declare module '../../core/events/event-type.ts' {
  interface EventPayloads extends PayloadsOf<typeof impersonationEvents> {}
}

declare module '../../core/audit/action.ts' {
  interface AuditActions extends Record<keyof typeof impersonationAudit, string> {}
}

export function impersonationFeature(tokens: AccessTokens): Feature {
  return {
    name: 'impersonation',
    permissions: {
      'user:impersonate': { description: 'Act as users of tenants, from the host tenant', role: 'Admin' },
    },
    audited: impersonationAudit,
    events: impersonationEvents,
    routes: impersonationRoutes(tokens),
    tenantSettings: { allowImpersonation },
  }
}
