import type { Feature } from '../../src/index.ts'
import { supplierActions } from './action.ts'
import { supplierEvents } from './event.ts'
import { supplierGraphQL } from './graphql.ts'
import { supplierMigrations } from './migration.ts'
import { supplierRoutes } from './rest.ts'

export const supplierFeature: Feature = {
  name: 'supplier',
  migrations: supplierMigrations,
  routes: supplierRoutes,
  graphql: supplierGraphQL,
  events: supplierEvents,
  actions: supplierActions,
}
