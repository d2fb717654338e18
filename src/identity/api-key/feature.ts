/** API keys, by which programs use the API of a tenant. */
import type { Feature } from '../../core/feature/feature.ts'
import type { ApiKeyDirectory } from './directory.ts'
import { apiKeyAudit, apiKeyEvents } from './event.ts'
import { apiKeyHome } from './home.ts'
import { apiKeyMigrations } from './migration.ts'
import { apiKeys } from './readable.ts'
import { apiKeyRoutes } from './rest.ts'

export function apiKeyFeature({ use }: ApiKeyDirectory): Feature {
  return {
    name: 'api-key',
    permissions: {
      'apiKey:read': { description: 'See API keys', role: 'Admin' },
      'apiKey:write': { description: 'Create and revoke API keys', role: 'Admin' },
    },
    audited: apiKeyAudit,
    migrations: apiKeyMigrations,
    routes: apiKeyRoutes,
    graphql: apiKeys.graphql,
    home: apiKeyHome,
    events: apiKeyEvents,
    jobs: [use.job],
  }
}
