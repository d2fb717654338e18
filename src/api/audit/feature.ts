import { auditColumns } from '../../core/audit/columns.ts'
import { auditMigrations } from '../../core/audit/migration.ts'
import type { Feature } from '../../core/feature/feature.ts'
import { auditRoutes } from './rest.ts'

export const auditFeature: Feature = {
  name: 'audit',
  permissions: {
    'audit:read': { description: 'See the audit', role: 'Admin' },
    'audit:read-all': { description: 'See the audit of all tenants', role: 'Admin', isForHost: true },
  },
  columns: auditColumns,
  migrations: auditMigrations,
  routes: auditRoutes,
}
