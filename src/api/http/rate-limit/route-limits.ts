/** Which policy a route is under: its own, else the one for what it does, else the default. */

import type { Route } from '../../../core/feature/route.ts'
import { suggestion } from '../../../core/names.ts'
import type { Limiters } from './limiter.ts'

/** Routes without a database say how the service fares: they are limited where they are named. */
export function limitRoutes(routes: readonly Route[], limiters: Limiters): Route[] {
  return routes.map((route) => {
    const limit = route.limit ?? policyOf(route, limiters)
    if (limit !== undefined) return { ...route, limit }
    return route.countsItself === true && limiters.size > 1 ? mayRefuse(route) : route
  })
}

/** Besides `strict` there is a policy, and what the route is asked for may count for it. */
function mayRefuse(route: Route): Route {
  return { ...route, errors: [...(route.errors ?? []), 'tooManyRequests'] }
}

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
 * @returns what is wrong with the names of policies
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
      return [`RATE_LIMITS: there is no ${name}${likeIt(name, [...known.keys(), ...fields])}`]
    return route.limit === undefined
      ? []
      : [`RATE_LIMITS: ${name} is under the policy ${route.limit} already`]
  })
}

/** Among those of the same method or kind. */
function likeIt(name: string, all: readonly string[]): string {
  const kind = name.slice(0, name.indexOf(' ') + 1)
  const alike = all.filter((each) => each.startsWith(kind)).map((each) => each.slice(kind.length))
  return suggestion(name.slice(kind.length), alike)
}
