import type { Feature } from '../../core/feature/feature.ts'
import { apiKeyAudit, apiKeyEvents } from './event.ts'
import { apiKeyMigrations } from './migration.ts'
import { apiKeyRoutes } from './rest.ts'
import type { ApiKeyUse } from './use.ts'

export function apiKeyFeature(use: ApiKeyUse): Feature {
  return {
    name: 'api-key',
    permissions: {
      'apiKey:read': { description: 'See API keys', role: 'Admin' },
      'apiKey:write': { description: 'Create and revoke API keys', role: 'Admin' },
    },
    audited: apiKeyAudit,
    migrations: apiKeyMigrations,
    routes: apiKeyRoutes,
    events: apiKeyEvents,
    jobs: [use.job],
  }
}
