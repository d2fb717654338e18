import type { AuditCatalogue } from '../../core/audit/action.ts'
import type { Feature } from '../../core/feature/feature.ts'
import type { DeclaredSettings } from '../../core/tenant/settings/declared.ts'
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
    audited: tenantSettingAudit,
    migrations: tenantSettingMigrations,
    routes: tenantSettingRoutes(declared),
    graphql: tenantSettingGraphQL(declared),
    events: tenantSettingEvents,
  }
}
