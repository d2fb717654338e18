/** Answers addresses and methods without a route, and `OPTIONS`, before the body is read. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../core/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route accepts an empty last parameter; otherwise such an address is 404. */
    takesEmptyParameter?: boolean
    /** The route is for browsers: its address is 404 for other clients. */
    isForBrowsers?: boolean
    /** The route replies with pages: its errors are pages as well. */
    isPage?: boolean
  }
}

const nothing = 'There is nothing at this address.'
/** The route of preflight requests, which is not an address. */
const everyAddress = '*'

export class Addresses {
  readonly #methods = new Map<string, Set<string>>()
  #patterns: [RegExp, Set<string>][] | null = null

  /** @param app without routes */
  constructor(app: FastifyInstance) {
    app.addHook('onRoute', ({ url, method, config }) => {
      if (url === everyAddress || config?.isForBrowsers === true) return
      const known = this.#methods.get(url) ?? new Set()
      for (const each of [method].flat()) known.add(each)
      this.#methods.set(url, known)
    })
  }

  /** @returns the methods of a path, e.g. `GET, HEAD, POST, OPTIONS`; `null` for an unknown path */
  allowedAt(path: string): string | null {
    this.#patterns ??= [...this.#methods].map(([url, known]) => [toPattern(url), known])
    const found = this.#patterns.filter(([pattern]) => pattern.test(path)).flatMap(([, known]) => [...known])
    return found.length === 0 ? null : [...new Set([...found, 'OPTIONS'])].join(', ')
  }
}

/** Answers `OPTIONS` with the allowed methods (RFC 9110, section 9.3.7). CORS answers preflight requests. */
export function answerOptions(app: FastifyInstance, addresses: Addresses): void {
  app.addHook('onRequest', (request, reply, done) => {
    const isPreflight = request.headers['access-control-request-method'] !== undefined
    if (request.method !== 'OPTIONS' || isPreflight) done()
    else answerUnrouted(request, reply, addresses)
  })
}

export function refuseUnknown(app: FastifyInstance, addresses: Addresses): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404 || hasEmptyParameter(request)) answerUnrouted(request, reply, addresses)
    else done()
  })
  app.setNotFoundHandler((request, reply) => answerUnrouted(request, reply, addresses)) // also for a missing file of a page
}

function answerUnrouted(request: FastifyRequest, reply: FastifyReply, addresses: Addresses): FastifyReply {
  const path = pathOf(request.url)
  const allow = addresses.allowedAt(path)
  if (allow === null) {
    const hasSlash = path.endsWith('/') && addresses.allowedAt(path.slice(0, -1)) !== null
    const text = hasSlash ? `${nothing} Remove the slash at its end.` : nothing
    return reply.send(new ServiceError('notFound', text))
  }
  if (request.method === 'OPTIONS') return reply.code(204).header('allow', allow).send()
  return reply.send(new ServiceError('methodNotAllowed', undefined, { headers: { allow } }))
}

/** `/api/products/` does not name a product. */
function hasEmptyParameter({ url, routeOptions }: FastifyRequest): boolean {
  const query = url.indexOf('?')
  if (url.charAt((query < 0 ? url.length : query) - 1) !== '/') return false
  return (
    routeOptions.url?.split('/').at(-1)?.startsWith(':') === true && !routeOptions.config.takesEmptyParameter
  )
}

/** Without the query. */
export function pathOf(url: string): string {
  const query = url.indexOf('?')
  return query < 0 ? url : url.slice(0, query)
}

function toPattern(url: string): RegExp {
  const escaped = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/:\w+/g, '[^/]+').replace(/\*/g, '.*')}$`)
}
