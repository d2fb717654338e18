/** The routes that list the instances and the applied migrations. */
import { Type } from 'typebox'
import { type Route, route } from '../../core/feature/route.ts'
import { type Instances, listMigrations, maxListed } from './instances.ts'
import { AppliedMigration, Instance } from './schema.ts'

const common = {
  method: 'GET',
  tag: 'Operation',
  access: 'operation:read',
  database: 'catalogue',
} as const

export function instanceRoutes(instances: Instances): Route[] {
  return [
    route({
      ...common,
      path: '/api/instances',
      summary: 'List the instances that serve',
      name: 'listInstances',
      description:
        'For the host tenant, in the order of their start. Those that have not reported for an hour are not listed.',
      reply: Type.Array(Instance),
      bounded: `There are ${maxListed} at most.`,
      handle: (context) => instances.list(context),
    }),
    route({
      ...common,
      path: '/api/migrations',
      summary: 'List the migrations of the catalogue’s database',
      name: 'listMigrations',
      description: 'For the host tenant, newest first.',
      reply: Type.Array(AppliedMigration),
      bounded: 'A version of the service has a fixed number of migrations.',
      handle: listMigrations,
    }),
  ]
}
