/** Selects the rate limit policy of each route: its own, else `read` or `write`, else the default. */

import type { Route } from '../../../core/feature/route.ts'
import { suggestion } from '../../../core/names.ts'
import type { Limiters } from './limiter.ts'

/** @returns the routes with the names of their policies */
export function limitRoutes(routes: readonly Route[], limiters: Limiters): Route[] {
  return routes.map((route) => {
    const limit = route.limit ?? policyOf(route, limiters)
    if (limit !== undefined) return { ...route, limit }
    return route.countsItself === true && limiters.size > builtInPolicies ? mayRefuse(route) : route
  })
}

/** The number of policies that always exist: `strict` and `mail`. */
const builtInPolicies = 2

/** A route that counts its operations itself may refuse them, if there is a policy of the settings. */
function mayRefuse(route: Route): Route {
  return { ...route, errors: [...(route.errors ?? []), 'tooManyRequests'] }
}

/** Routes without a database report the state of the service: only a policy with their name limits them. */
function policyOf(route: Route, limiters: Limiters): string | undefined {
  const general = [route.method === 'GET' ? 'read' : 'write', 'default']
  const names = [nameOf(route), ...(route.database === 'none' || route.countsItself ? [] : general)]
  return names.find((name) => limiters.has(name))
}

export function nameOf({ method, path }: Route): string {
  return `${method} ${path}`
}

/**
 * @param fields of GraphQL, such as `mutation createOrder`
 * @returns the faults of the policies' names
 */
export function limitFaults(
  limiters: Limiters,
  routes: readonly Route[],
  fields: readonly string[],
): string[] {
  const known = new Map(routes.map((route) => [nameOf(route), route]))
  const names = [...limiters.keys()].filter((name) => name.includes(' ') && !fields.includes(name))
  return names.flatMap((name) => {
    const route = known.get(name)
    if (route === undefined)
      return [`RATE_LIMITS: there is no ${name}${suggestionFor(name, [...known.keys(), ...fields])}`]
    return route.limit === undefined ? [] : [`RATE_LIMITS: ${name} already has the policy ${route.limit}`]
  })
}

/** Suggests a name of the same method or kind. */
function suggestionFor(name: string, all: readonly string[]): string {
  const kind = name.slice(0, name.indexOf(' ') + 1)
  const alike = all.filter((each) => each.startsWith(kind)).map((each) => each.slice(kind.length))
  return suggestion(name.slice(kind.length), alike)
}
