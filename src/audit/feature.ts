import type { Feature } from '../feature.ts'
import { auditMigrations } from './migration.ts'
import { auditRoutes } from './rest.ts'

export const auditFeature: Feature = { name: 'audit', migrations: auditMigrations, routes: auditRoutes }
