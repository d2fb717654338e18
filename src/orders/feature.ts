import type { Feature } from '../core/feature/feature.ts'
import { orderActions } from './action.ts'
import { orderColumns } from './columns.ts'
import { describeOrders } from './description.ts'
import { orderEvents } from './event.ts'
import { orderGraphQL } from './graphql.ts'
import { orderMigrations } from './migration.ts'
import { orderRoutes } from './rest.ts'

export const orderFeature: Feature = {
  name: 'order',
  plural: 'orders',
  permissions: {
    'order:read': { description: 'See orders', role: 'User' },
    'order:write': { description: 'Place, change, pay and cancel orders', role: 'User' },
  },
  columns: orderColumns,
  migrations: orderMigrations,
  routes: orderRoutes,
  events: orderEvents,
  graphql: orderGraphQL,
  describe: describeOrders,
  actions: orderActions,
}
