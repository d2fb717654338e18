import type { AuditCatalogue } from '../../core/audit/action.ts'
import type { Feature } from '../../core/feature/feature.ts'
import { forgetOldSessions } from './forget.ts'
import { sessionMigrations } from './migration.ts'
import { sessionRoutes } from './rest.ts'
import { type SessionParts, successorPurpose } from './session.ts'

export const sessionAudit = {
  'session.started': 'Somebody signed in',
  'session.refused': 'Somebody tried to sign in, and was refused',
  'session.ended': 'Somebody signed out',
  'session.reuseDetected': 'A refresh token was used again after it was replaced, and its session ended',
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
    jobs: [forgetOldSessions],
    digests: [successorPurpose],
  }
}
