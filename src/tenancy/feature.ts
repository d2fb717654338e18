import type { Feature } from '../core/feature/feature.ts'
import { type Connections, connectionMetrics } from './connection-metric.ts'
import { connectionPurpose } from './connection-string.ts'
import { tenantMigrations } from './migration.ts'
import { tenantRoutes } from './rest.ts'

export function tenantFeature(connections: Connections): Feature {
  return {
    name: 'tenant',
    migrations: tenantMigrations,
    routes: tenantRoutes,
    metrics: connectionMetrics(connections),
    encrypted: [
      {
        purpose: connectionPurpose,
        database: 'catalogue',
        table: 'tenant',
        column: 'connection_string',
        key: ['id_key'],
      },
      ...['source', 'target'].map((column) => ({
        purpose: connectionPurpose,
        database: 'catalogue' as const,
        table: 'tenant_move',
        column,
        key: ['tenant_key'],
      })),
    ],
  }
}
