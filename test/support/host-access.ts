/** What only the host may do, as the permissions say that features declare. */
import type { EntityDescription } from '../../src/core/feature/entity-description.ts'
import type { Feature } from '../../src/core/feature/feature.ts'
import { accessesOfRoute } from '../../src/core/feature/route.ts'
import type { Permission } from '../../src/core/permission.ts'
import { declaredEntities } from '../../src/service/declared-entities.ts'

/** @param access of a route, a field or an operation */
export function isForHost(access: string, features: readonly Feature[]): boolean {
  const name = access as Permission // other accesses are no permission of a feature
  return features.some(({ permissions }) => permissions?.[name]?.isForHost === true)
}

/** Whether only the host reads the rows of an entity. */
export function isEntityOfHost({ operations }: EntityDescription, features: readonly Feature[]): boolean {
  const { list, get } = operations
  return [list, get].every((operation) => operation !== undefined && isForHost(operation.access, features))
}

/** The tables of entities whose rows only the host reads: other tenants have no rows there. */
export function tablesOfHost(features: readonly Feature[]): ReadonlySet<string> {
  const ofHost = features.filter((feature) =>
    declaredEntities([feature]).some((describe) => isEntityOfHost(describe(), features)),
  )
  return new Set(ofHost.flatMap(({ tables = [] }) => tables.map(({ name }) => name)))
}

/** Routes that only the host may call: `GET /api/sign-ups/:id`. */
export function routesOfHost(features: readonly Feature[]): ReadonlySet<string> {
  const routes = features.flatMap(({ routes: own = [] }) => own)
  const ofHost = routes.filter((route) =>
    accessesOfRoute(route).every((access) => isForHost(access, features)),
  )
  return new Set(ofHost.map(({ method, path }) => `${method} ${path}`))
}

/** The names of the GraphQL fields that only the host may ask for. */
export function fieldsOfHost(features: readonly Feature[]): ReadonlySet<string> {
  const fields = features.flatMap(({ graphql = {} }) =>
    Object.entries({ ...graphql.queries, ...graphql.mutations, ...graphql.subscriptions }),
  )
  const ofHost = fields.filter(([, { access = 'user' }]) => isForHost(access, features))
  return new Set(ofHost.map(([name]) => name))
}
