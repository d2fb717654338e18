import type { Feature } from '../feature.ts'
import { tenantMigrations } from './migration.ts'
import { tenantRoutes } from './rest.ts'

export const tenantFeature: Feature = { name: 'tenant', migrations: tenantMigrations, routes: tenantRoutes }
