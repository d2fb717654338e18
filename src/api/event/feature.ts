import { eventMigrations } from '../../core/events/migration.ts'
import type { Feature } from '../../core/feature/feature.ts'
import { eventRoutes } from './rest.ts'

export const eventFeature: Feature = {
  name: 'event',
  migrations: eventMigrations,
  routes: eventRoutes,
}
