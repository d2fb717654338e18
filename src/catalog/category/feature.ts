import type { Feature } from '../../core/feature/feature.ts'
import { categoryEvents } from './event.ts'
import { categoryGraphQL } from './graphql.ts'
import { categoryMigrations } from './migration.ts'
import { categoryRoutes } from './rest.ts'

export const categoryFeature: Feature = {
  name: 'category',
  migrations: categoryMigrations,
  routes: categoryRoutes,
  events: categoryEvents,
  graphql: categoryGraphQL,
}
