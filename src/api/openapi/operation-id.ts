/** The names of operations in generated clients. */
import { capital, uncapitalized } from '../../core/capital.ts'
import type { Route } from '../../core/feature/route.ts'

/**
 * Verb and noun from method, path and kind of reply: `listProducts`, `listActiveProducts`, `getProduct`,
 * `createWebhookSubscription`, `payOrder`. Below a segment that is no plural, such as `auth`, the name is made of
 * the path. A route may declare another name.
 */
export function operationIdOf(route: Route): string {
  if (route.name !== undefined) return route.name
  const segments = route.path
    .split('/')
    .filter((part) => part !== '' && part !== 'api' && !part.startsWith('.'))
  const isItem = segments.at(-1)?.startsWith(':') ?? false
  const names = segments.filter((part) => !part.startsWith(':')).map(pascalCase)
  const last = names.at(-1) ?? ''
  const groups = names.slice(0, -1)
  const owners = groups.map(singular).join('')
  if (names.includes('Search')) return `search${names.filter((name) => name !== 'Search').join('')}`
  if (isAction(route)) return actionId(groups, last)
  const verb = verbOf(route)
  if (verb === 'list' && !last.endsWith('s')) return `list${last}${groups.join('')}`
  return `${verb}${owners}${isItem || verb === 'create' ? singular(last) : last}`
}

function verbOf(route: Route): string {
  if (route.method === 'GET') return isList(route) ? 'list' : 'get'
  return { POST: 'create', PUT: 'update', PATCH: 'update', DELETE: 'delete' }[route.method]
}

/** Whether the route acts on one resource (`/orders/:id/pay`), or creates nothing. */
function isAction({ method, path, status }: Route): boolean {
  if (method !== 'POST') return false
  return status === 200 || status === 204 || /\/:\w+\/[^/]*[^s]$/.test(path)
}

/** `rotate-secret` of `webhooks/subscriptions` is `rotateWebhookSubscriptionSecret`. */
function actionId(groups: readonly string[], action: string): string {
  if (!groups.at(-1)?.endsWith('s')) return uncapitalized([...groups, action].join(''))
  const [verb = '', ...rest] = action.split(/(?=[A-Z])/)
  return uncapitalized([verb, ...groups.map(singular), ...rest].join(''))
}

function isList(route: Route): boolean {
  return route.reply !== undefined && 'type' in route.reply && route.reply.type === 'array'
}

/** `event-types` becomes `EventTypes`, `jwks.json` becomes `Jwks`. */
function pascalCase(segment: string): string {
  const words = segment.replace(/\.\w+$/, '').split(/[^A-Za-z0-9]+/)
  return words.map(capital).join('')
}

export function singular(noun: string): string {
  return noun.replace(/ies$/, 'y').replace(/s$/, '')
}
