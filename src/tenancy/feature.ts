import type { AuditCatalogue } from '../core/audit/action.ts'
import type { Feature } from '../core/feature/feature.ts'
import { gauge, type Metric } from '../core/metric.ts'
import { connectionPurpose } from './connection-string.ts'
import { tenantEvents } from './event.ts'
import { tenantMigrations } from './migration.ts'
import { tenantChangeRoute, tenantRoutes } from './rest.ts'
import { brandHome } from './settings/brand-home.ts'
import { builtInSettings } from './settings/built-in.ts'

export const tenantAudit = {
  'tenant.created': 'A tenant was created',
  'tenant.updated': 'A tenant was changed, or activated again',
  'tenant.deactivated': 'A tenant was deactivated',
} satisfies AuditCatalogue

declare module '../core/audit/action.ts' {
  interface AuditActions extends Record<keyof typeof tenantAudit, string> {}
}

/** @param reserved subdomains that only administrators of the host tenant assign, besides the built-in ones */
export function tenantFeature(connections: TenantConnections, reserved: readonly string[]): Feature {
  return {
    name: 'tenant',
    permissions: {
      'tenant:read': { description: 'See tenants', role: 'Admin' },
      'tenant:write': { description: 'Create, change and deactivate tenants', role: 'Admin' },
    },
    audited: tenantAudit,
    migrations: tenantMigrations,
    routes: [...tenantRoutes, tenantChangeRoute(reserved)],
    events: tenantEvents,
    tenantSettings: builtInSettings,
    home: brandHome,
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

/** Connections to the PostgreSQL databases of tenants. */
export interface TenantConnections {
  readonly open: number
  readonly idle: number
  readonly waiting: number
}

export function connectionMetrics(connections: TenantConnections): Metric[] {
  return [
    {
      name: 'tenant_database_connections',
      help: 'Connections to the PostgreSQL databases of tenants, by state',
      kind: 'gauge',
      labels: ['state'],
      read: () => [
        { labels: { state: 'in_use' }, value: connections.open - connections.idle },
        { labels: { state: 'idle' }, value: connections.idle },
      ],
    },
    gauge(
      'tenant_database_connection_waiters',
      'Requests that wait for a connection to the PostgreSQL database of a tenant',
      () => connections.waiting,
    ),
  ]
}
