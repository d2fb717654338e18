import type { AuditCatalogue } from '../../core/audit/action.ts'
import type { Feature } from '../../core/feature/feature.ts'
import type { DeclaredSettings } from '../../core/tenant/settings/declared.ts'
import { tenantSettingColumns } from './columns.ts'
import { tenantSettingEvents } from './event.ts'
import { tenantSettingGraphQL } from './graphql.ts'
import { tenantSettingMigrations } from './migration.ts'
import { tenantSettingRoutes } from './rest.ts'

export const tenantSettingAudit = {
  'tenant.configured': 'Settings of a tenant were changed',
} satisfies AuditCatalogue

declare module '../../core/audit/action.ts' {
  interface AuditActions extends Record<keyof typeof tenantSettingAudit, string> {}
}

/** @param declared the settings that all features declare */
export function tenantSettingFeature(declared: DeclaredSettings): Feature {
  return {
    name: 'tenantSetting',
    permissions: {
      'setting:read': { description: 'See the settings of the tenant', role: 'Admin' },
      'setting:write': { description: 'Change the settings of the tenant', role: 'Admin' },
    },
    audited: tenantSettingAudit,
    columns: tenantSettingColumns,
    migrations: tenantSettingMigrations,
    routes: tenantSettingRoutes(declared),
    graphql: tenantSettingGraphQL(declared),
    events: tenantSettingEvents,
  }
}
