/** Answers addresses and methods without a route, and `OPTIONS`, before the body is read. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refusal, ServiceError } from '../../core/errors.ts'

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

/** The route of preflight requests, which is not an address. */
const everyAddress = '*'

export class Addresses {
  readonly #app: FastifyInstance
  readonly #methods = new Map<string, Set<string>>()
  #patterns: [RegExp, Set<string>][] | null = null

  /** @param app without routes */
  constructor(app: FastifyInstance) {
    this.#app = app
    app.setNotFoundHandler((request, reply) => this.answer(request, reply)) // also for a missing file of a page
    app.addHook('onRoute', ({ url, method, config }) => {
      if (url === everyAddress || config?.isForBrowsers === true) return
      const known = this.#methods.get(url) ?? new Set()
      if (typeof method === 'string') known.add(method)
      else for (const each of method) known.add(each)
      this.#methods.set(url, known)
    })
  }

  /** Refuses requests to unknown addresses before the body is read. */
  refuseUnknown(): void {
    this.#app.addHook('onRequest', (request, reply, done) => {
      if (isUnknown(request)) this.answer(request, reply)
      else done()
    })
  }

  /** Answers `OPTIONS` with the allowed methods (RFC 9110, section 9.3.7), and a request that has no route. */
  answer(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const path = pathOf(request.url)
    const allow = this.#allowedAt(path)
    if (allow === null) {
      const hasSlash = path.endsWith('/') && this.#allowedAt(path.slice(0, -1)) !== null
      return reply.send(refusal(hasSlash ? 'slashAtEnd' : 'nothingHere'))
    }
    if (request.method === 'OPTIONS') return reply.code(204).header('allow', allow).send()
    return reply.send(new ServiceError('methodNotAllowed', undefined, { headers: { allow } }))
  }

  /** @returns the methods of a path, e.g. `GET, HEAD, POST, OPTIONS`; `null` for an unknown path */
  #allowedAt(path: string): string | null {
    this.#patterns ??= [...this.#methods].map(([url, known]) => [toPattern(url), known])
    const found = this.#patterns.filter(([pattern]) => pattern.test(path)).flatMap(([, known]) => [...known])
    return found.length === 0 ? null : [...new Set([...found, 'OPTIONS'])].join(', ')
  }
}

/** CORS answers preflight requests. */
export function isOptions({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] === undefined
}

/** Whether the request has no route. */
export function isUnknown(request: FastifyRequest): boolean {
  return request.is404 || hasEmptyParameter(request)
}

/** `/api/products/` does not name a product. */
function hasEmptyParameter({ url, routeOptions }: FastifyRequest): boolean {
  const query = url.indexOf('?')
  if (url.charAt((query < 0 ? url.length : query) - 1) !== '/') return false
  return (
    routeOptions.url?.split('/').at(-1)?.startsWith(':') === true && !routeOptions.config.takesEmptyParameter
  )
}

/** @returns the path of the address, without the query */
export function pathOf(url: string): string {
  const query = url.indexOf('?')
  return query < 0 ? url : url.slice(0, query)
}

function toPattern(url: string): RegExp {
  const escaped = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/:\w+/g, '[^/]+').replace(/\*/g, '.*')}$`)
}
