import type { Feature } from '../../core/feature/feature.ts'
import { sessionAudit, sessionEvents } from './event.ts'
import { sessionMails } from './mail.ts'
import { sessionMigrations } from './migration.ts'
import { successorPurpose } from './refresh-token/refresh-token.ts'
import { removeExpiredCounts } from './removal/counts.ts'
import { removeOldSessions } from './removal/removal.ts'
import { sessionListRoutes, sessionRoutes } from './rest.ts'
import type { SessionParts } from './session.ts'

export function sessionFeature(parts: SessionParts): Feature {
  return {
    name: 'session',
    permissions: {
      'session:read': { description: 'See the sessions of users', role: 'Admin' },
      'session:write': { description: 'End the sessions of users', role: 'Admin' },
    },
    audited: sessionAudit,
    events: sessionEvents,
    migrations: sessionMigrations,
    routes: [...sessionRoutes(parts), ...sessionListRoutes],
    jobs: [removeOldSessions, removeExpiredCounts],
    mails: sessionMails,
    digests: [successorPurpose],
  }
}
