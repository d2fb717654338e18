import type { Feature } from '../feature.ts'
import { catalogue } from './catalogue.ts'
import { eventMigrations } from './migration.ts'
import { eventRoutes } from './rest.ts'

export const eventFeature: Feature = {
  name: 'event',
  migrations: eventMigrations,
  events: catalogue,
  routes: eventRoutes,
}
