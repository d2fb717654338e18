import type { Feature } from '../../core/feature/feature.ts'
import { productEvents } from './event.ts'
import { productGraphQL } from './graphql.ts'
import { productMigrations } from './migration.ts'
import { productRoutes } from './rest.ts'

export const productFeature: Feature = {
  name: 'product',
  migrations: productMigrations,
  routes: productRoutes,
  events: productEvents,
  graphql: productGraphQL,
}
