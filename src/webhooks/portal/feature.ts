/** Portal sessions: the pages of webhooks, embedded in the application of a tenant for one of its customers. */
import type { AuditCatalogue } from '../../core/audit/action.ts'
import type { Feature } from '../../core/feature/feature.ts'
import { portalMigrations } from './migration.ts'
import { portalSessions } from './readable.ts'
import { portalRoutes } from './rest.ts'
import { removeExpiredPortalSessions } from './session.ts'

export const portalAudit = {
  'portalSession.created': 'The pages of webhooks were opened for a customer',
  'portalSession.ended': 'A session of the embedded pages of webhooks was ended before its time',
} satisfies AuditCatalogue

declare module '../../core/audit/action.ts' {
  interface AuditActions extends Record<keyof typeof portalAudit, string> {}
}

/** @param baseUrl of the service */
export function portalFeature(baseUrl: string): Feature {
  return {
    name: 'portal',
    permissions: {
      'webhook:portal': { description: 'Open the pages of webhooks for customers', role: 'Admin' },
    },
    audited: portalAudit,
    migrations: portalMigrations,
    routes: portalRoutes(baseUrl),
    graphql: portalSessions.graphql,
    jobs: [removeExpiredPortalSessions],
  }
}
