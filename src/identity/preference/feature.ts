/** Preferences: small values that a client, such as the console, stores for its user. */
import type { Feature } from '../../core/feature/feature.ts'
import { preferenceColumns } from './columns.ts'
import { preferenceMigrations } from './migration.ts'
import { preferenceRoutes } from './rest.ts'

export const preferenceFeature: Feature = {
  name: 'preference',
  columns: preferenceColumns,
  migrations: preferenceMigrations,
  routes: preferenceRoutes,
}
