import type { Feature } from '../../core/feature/feature.ts'
import { forgetOldSessions } from './forget.ts'
import { sessionMigrations } from './migration.ts'
import { sessionRoutes } from './rest.ts'
import { type SessionParts, successorPurpose } from './session.ts'

export function sessionFeature(parts: SessionParts): Feature {
  return {
    name: 'session',
    migrations: sessionMigrations,
    routes: sessionRoutes(parts),
    jobs: [forgetOldSessions],
    digests: [successorPurpose],
  }
}
