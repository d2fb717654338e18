import { eventColumns } from '../../core/events/columns.ts'
import { eventMigrations } from '../../core/events/migration.ts'
import type { Feature } from '../../core/feature/feature.ts'
import { eventRoutes } from './rest.ts'

export const eventFeature: Feature = {
  name: 'event',
  permissions: {
    'event:read': { description: 'See the types of events', role: 'User' },
    'event:publish': { description: 'Publish events', role: 'User' },
  },
  columns: eventColumns,
  migrations: eventMigrations,
  routes: eventRoutes,
}
