/** Products as they would be written by hand: what a defined entity is compared with. */
import { category, type Feature, readModel } from '../../../src/index.ts'
import { wareEvents } from './event.ts'
import { wareMigrations } from './migration.ts'
import { wareRoutes } from './rest.ts'
import { Ware } from './schema.ts'

const ware = readModel(Ware, {
  table: 'ware',
  indexes: [['createdAt'], ['price'], ['name']],
  relations: {
    category: { kind: 'one', entity: category.model, on: { id: 'category_id' }, description: 'If any.' },
  },
})

export const wareFeature: Feature = {
  name: 'ware',
  migrations: wareMigrations,
  routes: wareRoutes,
  events: wareEvents,
  graphql: {
    queries: {
      wares: { kind: 'list', entity: ware, access: 'public', description: 'Matching wares.' },
      ware: { kind: 'one', entity: ware, description: 'The ware with this id, or null.' },
    },
  },
}
