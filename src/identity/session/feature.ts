import type { AuditCatalogue } from '../../core/audit/action.ts'
import type { Feature } from '../../core/feature/feature.ts'
import { sessionMigrations } from './migration.ts'
import { removeOldSessions } from './removal.ts'
import { sessionRoutes } from './rest.ts'
import { type SessionParts, successorPurpose } from './session.ts'

export const sessionAudit = {
  'session.started': 'A user signed in',
  'session.refused': 'A sign-in was refused',
  'session.ended': 'A user signed out',
  'session.reuseDetected': 'A replaced refresh token was used again, which ended its session',
} satisfies AuditCatalogue

declare module '../../core/audit/action.ts' {
  interface AuditActions extends Record<keyof typeof sessionAudit, string> {}
}

export function sessionFeature(parts: SessionParts): Feature {
  return {
    name: 'session',
    audited: sessionAudit,
    migrations: sessionMigrations,
    routes: sessionRoutes(parts),
    jobs: [removeOldSessions],
    digests: [successorPurpose],
  }
}
