/** Which addresses there are, and with which methods: 404, 405 and `OPTIONS`, before the body is looked at. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../core/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route judges a last parameter that is empty; otherwise there is nothing at such an address. */
    takesEmptyParameter?: boolean
    /** It is for browsers: to everybody else there is nothing at its address. */
    isForBrowsers?: boolean
  }
}

const nothing = 'There is nothing at this address.'
/** Registered for preflight requests: no address of its own. */
const everyAddress = '*'

export class Addresses {
  readonly #methods = new Map<string, Set<string>>()
  #patterns: [RegExp, Set<string>][] | null = null

  /** @param app without any route yet */
  constructor(app: FastifyInstance) {
    app.addHook('onRoute', ({ url, method, config }) => {
      if (url === everyAddress || config?.isForBrowsers === true) return
      const known = this.#methods.get(url) ?? new Set()
      for (const each of [method].flat()) known.add(each)
      this.#methods.set(url, known)
    })
  }

  /** @returns those of a path, e.g. `GET, HEAD, POST, OPTIONS`; `null` for a path that no route has */
  allowedAt(path: string): string | null {
    this.#patterns ??= [...this.#methods].map(([url, known]) => [toPattern(url), known])
    const found = this.#patterns.filter(([pattern]) => pattern.test(path)).flatMap(([, known]) => [...known])
    return found.length === 0 ? null : [...new Set([...found, 'OPTIONS'])].join(', ')
  }
}

/** Answers `OPTIONS` with what is allowed (RFC 9110, section 9.3.7). A preflight request is left to CORS. */
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
  app.setNotFoundHandler((request, reply) => answerUnrouted(request, reply, addresses)) // a page misses a file of its own
}

function answerUnrouted(request: FastifyRequest, reply: FastifyReply, addresses: Addresses): FastifyReply {
  const path = pathOf(request.url)
  const allow = addresses.allowedAt(path)
  if (allow === null) {
    const hasSlash = path.endsWith('/') && addresses.allowedAt(path.slice(0, -1)) !== null
    const text = hasSlash ? `${nothing} Leave out the slash at its end.` : nothing
    return reply.send(new ServiceError('notFound', text))
  }
  if (request.method === 'OPTIONS') return reply.code(204).header('allow', allow).send()
  return reply.send(new ServiceError('methodNotAllowed', undefined, { headers: { allow } }))
}

/** `/api/products/` is no product. */
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
