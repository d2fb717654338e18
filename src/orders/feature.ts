import type { Feature } from '../core/feature/feature.ts'
import { orderGraphQL } from './graphql.ts'
import { orderActions } from './incoming.ts'
import { orderMigrations } from './migration.ts'
import { orderRoutes } from './rest.ts'

export const orderFeature: Feature = {
  name: 'order',
  migrations: orderMigrations,
  routes: orderRoutes,
  graphql: orderGraphQL,
  actions: orderActions,
}
