/** The HTTP server without features: parsing, errors, headers, limits. */

import type { IncomingMessage } from 'node:http'
import cors, { type OriginFunction } from '@fastify/cors'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { refusal } from '../../core/errors.ts'
import { originOf } from '../../core/host.ts'
import { newId } from '../../core/id.ts'
import type { FailureLog } from '../../core/log/failure-log.ts'
import { ConfigError } from '../../core/settings/config.ts'
import type { TrustProxy } from '../../core/settings/parse.ts'
import { shouldUpgrade } from '../graphql/transport/web-socket.ts'
import { sharedHeaders } from '../openapi/reply.ts'
import { Addresses, isOptions, isUnknown } from './addresses.ts'
import { requestTarget } from './connection/absolute-target.ts'
import { answerBrokenRequest, hasSingleHost } from './connection/broken-request.ts'
import { acceptExpectations } from './connection/expectation.ts'
import type { PipelinedRequests } from './connection/pipelined-requests.ts'
import { keepForwardedAddresses, trustedProxies } from './connection/proxy.ts'
import { discardUnreadBodies } from './connection/unread-body.ts'
import { compressReplies } from './reply/compression.ts'
import { errorReplier } from './reply/error-reply.ts'
import { prepareListTags } from './reply/list-tag.ts'
import { securityHeaders, transportSecurity, uncached } from './reply/security-headers.ts'
import { lazySerializer, prepareSerializers } from './reply/serializer.ts'
import { type BodyParts, parseJsonBodies } from './request/body.ts'
import { reportFailures } from './request-log.ts'

export interface ServerOptions {
  log: FastifyBaseLogger
  failures: FailureLog
  production: boolean
  trustProxy: TrustProxy
  /** Empty without a path in `BASE_URL`. */
  basePath: string
  corsOrigins: string[]
  compressReplies: boolean
  bodyLimitBytes: number
  requestTimeoutMs: number
  bodies: BodyParts
  pipelined: PipelinedRequests
}

const maxHeaderBytes = 16 * 1024
/** The time in which all headers of a request must arrive. Honest clients send them at once. */
const maxHeadersMs = 10_000
const keepAliveMs = 72_000
/** The interval of the checks for time-outs. */
const timeoutCheckMs = 500
/** The headers of replies that pages of other origins may read. */
const readableHeaders = [
  ...Object.keys(sharedHeaders).map((name) => name.toLowerCase()),
  'allow',
  'x-step-up', // of a refusal: the user has to sign in again
]

export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const replyWithError = errorReplier(reportFailures(options.failures), options.basePath)
  const headers = { ...securityHeaders, ...(options.production && transportSecurity) }
  const app: FastifyInstance = Fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    // No child logger for each request: log lines have the request id.
    childLoggerFactory: (logger) => logger,
    trustProxy:
      typeof options.trustProxy === 'number' ? trustedProxies(options.trustProxy) : options.trustProxy,
    rewriteUrl: (request) => requestTarget(request, options.basePath),
    requestTimeout: options.requestTimeoutMs,
    keepAliveTimeout: keepAliveMs,
    http: {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: Math.min(maxHeadersMs, options.requestTimeoutMs),
      connectionsCheckingInterval: timeoutCheckMs,
      requireHostHeader: false,
      // After a request without a reply, an upgrade is served as a plain request in its turn (RFC 9110, section 7.8).
      shouldUpgradeCallback: (request) =>
        shouldUpgrade(request, options.basePath) && !options.pipelined.hasUnanswered(request.socket),
    },
    // Requests on open connections are answered while the server closes.
    return503OnClosing: false,
    // Routes validate their parameters; the router must not refuse any by length.
    routerOptions: { maxParamLength: maxHeaderBytes },
    // Fastify runs no hooks for these replies.
    frameworkErrors: (error, request, reply) => {
      reply.headers(headers).header('x-request-id', request.id)
      replyWithError(error, request, reply)
    },
    clientErrorHandler: answerBrokenRequest(headers),
  })
  refuseOwnPath(app, options.basePath)
  const addresses = new Addresses(app)
  const allowsOrigins = options.corsOrigins.length > 0
  app.addHook('onRequest', (request, reply, done) => {
    keepForwardedAddresses(request.raw)
    reply.headers(headers).header('x-request-id', request.id)
    if (request.method !== 'GET' && request.method !== 'HEAD') reply.headers(uncached)
    if (!hasSingleHost(request.raw)) done(refusal('oneHostRequired'))
    else if (isOptions(request) || (!allowsOrigins && isUnknown(request))) addresses.answer(request, reply)
    else done()
  })
  acceptExpectations(app.server)
  discardUnreadBodies(app.server)
  parseJsonBodies(app, options.bodyLimitBytes, options.bodies)
  await prepareSerializers()
  await prepareListTags()
  app.setSerializerCompiler(lazySerializer)
  app.setErrorHandler(replyWithError)
  if (allowsOrigins) {
    await app.register(cors, {
      origin: options.corsOrigins.includes('*') ? '*' : sameOrigins(options.corsOrigins),
      methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      exposedHeaders: readableHeaders,
      maxAge: 600,
    })
    addresses.refuseUnknown() // after `cors`, so that its replies have the headers for other origins
  }
  if (options.compressReplies) compressReplies(app, options.bodies.costLimiter)
  return app
}

/** An origin is the same in every form in which a browser may write it. */
function sameOrigins(origins: string[]): OriginFunction {
  const known = new Set(origins.map(originOf))
  return (asked = '', done) => done(null, known.has(originOf(asked)) ? [asked] : origins)
}

/** Refuses a `BASE_URL` whose path begins like a route: it would be unclear whether a proxy has removed the path. */
function refuseOwnPath(app: FastifyInstance, basePath: string): void {
  if (basePath === '') return
  const [, first] = basePath.split('/')
  app.addHook('onRoute', ({ url }) => {
    if (url.split('/')[1] === first)
      throw new ConfigError([`BASE_URL: must have a path that does not begin with /${first}, as ${url} does`])
  })
}

/** Accepts the caller's id if it is safe in a log. */
function requestId(request: { headers: IncomingMessage['headers'] }): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\w.:-]{1,100}$/.test(given) ? given : newId()
}
