import { auditMigrations } from '../../core/audit/migration.ts'
import type { Feature } from '../../core/feature/feature.ts'
import { auditRoutes } from './rest.ts'

export const auditFeature: Feature = { name: 'audit', migrations: auditMigrations, routes: auditRoutes }
