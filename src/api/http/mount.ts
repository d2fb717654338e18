/** Mounts routes on the server: limit → admission → turn → input → context → handler → reply. */
import { hash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { belowBasePath } from '../../core/base-path.ts'
import { canonicalJson } from '../../core/canonical-json.ts'
import type { Context, Idempotency, Shared } from '../../core/context.ts'
import { type RequestSource, requestContext } from '../../core/create-context.ts'
import { invalidField } from '../../core/errors.ts'
import {
  impersonationOf,
  JsonText,
  Reply,
  type Route,
  type RouteInput,
  readsOnly,
} from '../../core/feature/route.ts'
import type { SignInLimit } from '../../core/settings/rate-limit-policy.ts'
import type { Lease } from '../../core/tenant/database-state.ts'
import { limitSignIns } from './rate-limit/account-limit.ts'
import { type Limiter, type Limiters, limitRequests } from './rate-limit/limiter.ts'
import { addVary } from './reply/compression.ts'
import { isNotModified } from './reply/condition.ts'
import { sendBody, sendHead } from './reply/send-body.ts'
import type { ReplyEnd } from './reply-end.ts'
import { type AdmissionParts, type Admitted, admit } from './request/admission.ts'
import { type BodyParts, bodyLimits, keepBodiesRaw } from './request/body.ts'
import { requestReader } from './request/input.ts'
import type { RequestTurns } from './request/request-turns.ts'
import { leaveBodiesUnread, noContent, readContent } from './request/stream-body.ts'
import { type UnknownInput, unknownInputCheck } from './request/unknown-input.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller and the tenant; `null` until the request is admitted. */
    admitted: Admitted | null
    /** The use of the tenant's database, which ends with the reply; `null` for routes that do not use it. */
    lease: Lease | null
  }
}

export interface MountParts extends AdmissionParts {
  shared: Shared
  bodies: BodyParts
  /** Empty without a path in `BASE_URL`. */
  basePath: string
  bodyLimitBytes: number
  /** How long a streamed body may hardly grow. */
  maxStalledBodyMs: number
  limiters: Limiters
  signInLimit: SignInLimit
  turns: RequestTurns
  unknownInput: UnknownInput
  compressReplies: boolean
}

const noBytes = new Uint8Array()

/**
 * Body parsers apply to a scope of the server: routes with the same kind of body share one. A scope for each route would
 * cost a tenth of the start.
 */
export function mountRoutes(app: FastifyInstance, routes: readonly Route[], parts: MountParts): void {
  const { json = [], raw = [], streamed = [] } = Object.groupBy(routes, bodyKindOf)
  for (const route of json) addRoute(app, route, parts)
  mountScope(app, raw, parts, (scope) => keepBodiesRaw(scope, parts.bodies))
  mountScope(app, streamed, parts, leaveBodiesUnread)
}

function bodyKindOf({ rawBody, streamedBody }: Route): 'json' | 'raw' | 'streamed' {
  if (streamedBody !== undefined) return 'streamed'
  return rawBody === undefined ? 'json' : 'raw'
}

function mountScope(
  app: FastifyInstance,
  routes: readonly Route[],
  parts: MountParts,
  prepare: (scope: FastifyInstance) => void,
): void {
  void app.register((scope, _options, done) => {
    prepare(scope)
    for (const route of routes) addRoute(scope, route, parts)
    done()
  })
}

function addRoute(app: FastifyInstance, route: Route, parts: MountParts): void {
  const read = requestReader(route)
  const checkUnknownInput = unknownInputCheck(route, parts.unknownInput)
  const needsTenant = (route.database ?? 'tenant') === 'tenant'
  const limit = limitHooks(route, parts)
  const mayCompress = parts.compressReplies && !isUncompressed(route)
  const isObserved = limit.onSend.length > 0
  const handle = route.streamedBody === undefined ? route.handle : endingContent(route.handle)
  app.route({
    method: route.method,
    url: route.path,
    ...(isUncompressed(route) && { compress: false }),
    config: { takesEmptyParameter: route.takesEmptyParameter === true, isPage: route.page === true },
    schema: route.reply === undefined ? {} : { response: { [route.status]: route.reply } },
    ...(route.database === 'none'
      ? { onRequest: limit.onRequest }
      : {
          onRequest: [...limit.onRequest, admission(route, parts)],
          preHandler: [...limit.preHandler, turn(parts.turns)],
          ...(limit.onSend.length > 0 && { onSend: limit.onSend }),
        }),
    handler: async (request, reply) => {
      const strict = checkUnknownInput(request, reply)
      const { body, query, path } = read(request)
      const { actor, tenant } = request.admitted ?? { actor: null, tenant: null }
      const idempotency = route.idempotent === true ? readIdempotency(request) : null
      if (needsTenant && tenant !== null) {
        const lease = parts.shared.tenantDatabases.lease(tenant)
        keepLease(request, reply, lease instanceof Promise ? await lease : lease)
      }
      const database = request.lease?.database ?? null
      const context = requestContext(parts.shared, sourceOf(request, reply), {
        actor,
        tenant,
        idempotency,
        database,
      })
      const bytes = bytesOf(request)
      const content = contentOf(route, request, parts)
      const input = {
        body,
        bytes,
        content,
        query,
        path,
        url: request.url,
        headers: headersOf(request),
        strict,
      } as RouteInput<never, never> // read by the route's schemas
      const outcome = await handle(context, input)
      if (idempotency?.replayed === true) reply.header('idempotency-replayed', 'true')
      return sendOutcome(request, reply, {
        route,
        outcome,
        context,
        mayCompress,
        isObserved,
        basePath: parts.basePath,
      })
    },
  })
}

function keepLease(request: FastifyRequest, reply: FastifyReply, lease: Lease): void {
  request.lease = lease
  if (request.admitted?.tenant.hasOwnDatabase === true) releaseAtClose(lease, reply)
}

/** Only GET has ranges: with any other method their headers are ignored (RFC 9110, section 14.2). */
function headersOf({ method, headers }: FastifyRequest): FastifyRequest['headers'] {
  if (method === 'GET' || headers.range === undefined) return headers
  const { range: _range, 'if-range': _condition, ...others } = headers
  return others
}

function sourceOf({ id, ip, headers }: FastifyRequest, reply: FastifyReply): RequestSource {
  return { id, ip, userAgent: headers['user-agent'] ?? null, signal: () => signalOf(reply.raw) }
}

function isUncompressed({ secret, bytesReply }: Route): boolean {
  return secret === true || bytesReply !== undefined
}

function limitHooks({ limit, mails, signsIn }: Route, { limiters, signInLimit }: MountParts) {
  const names = [...(limit === undefined ? [] : [limit]), ...(mails === true ? ['mail'] : [])]
  const onRequest = names.map((name) => limitRequests(limiterOf(name, limiters)))
  // Sign-ins count by account as well, unless the setting says otherwise. A route that signs in sends no mails.
  if (limit === undefined || signsIn !== true || signInLimit === 'address')
    return { onRequest, preHandler: [], onSend: [] }
  const limiter = limiterOf(limit, limiters)
  const { countAddress, countAccount, releaseSuccess } = limitSignIns(limiter)
  return { onRequest: [countAddress], preHandler: [countAccount], onSend: [releaseSuccess] }
}

/** @throws Error for an unknown policy */
function limiterOf(name: string, limiters: Limiters): Limiter {
  const limiter = limiters.get(name)
  if (limiter === undefined) throw new Error(`There is no rate limit policy ${name}.`)
  return limiter
}

/** The bytes of a raw body; other routes have parsed theirs. */
function bytesOf({ body }: FastifyRequest): Uint8Array {
  return body instanceof Uint8Array ? body : noBytes
}

function contentOf(route: Route, { raw }: FastifyRequest, { maxStalledBodyMs }: MountParts) {
  return route.streamedBody === undefined ? noContent : readContent(raw, maxStalledBodyMs)
}

/** A handler that fails may leave the content in the middle, with the timers of its reader. */
function endingContent(handle: Route['handle']): Route['handle'] {
  return async (context, input) => {
    try {
      return await handle(context, input)
    } finally {
      await input.content[Symbol.asyncIterator]().return?.()
    }
  }
}

/** Releases the lease of the tenant's database at the end of the reply. */
export function releaseLeases(app: FastifyInstance, end: ReplyEnd): void {
  app.decorateRequest('admitted', null)
  app.decorateRequest('lease', null)
  end.add(({ lease }) => lease?.release())
}

/** Aborted when the response closes, which it also does after it was sent. */
function signalOf(response: ServerResponse): AbortSignal {
  if (response.closed) return AbortSignal.abort(disconnected)
  const controller = new AbortController()
  response.once('close', () => controller.abort(disconnected))
  return controller.signal
}

/** The reason of all aborts: without it, each abort would create an exception with a stack of its own. */
const disconnected = new Error('The client has disconnected.')

/** If the client disconnects before the end, the reply closes without `onResponse`. */
function releaseAtClose(lease: Lease, { raw }: FastifyReply): void {
  if (raw.closed) lease.release()
  else raw.once('close', () => lease.release())
}

function admission(route: Route, parts: MountParts) {
  const limits = bodyLimits(route, parts.bodyLimitBytes)
  const guarded = { ...route, impersonation: impersonationOf(route) }
  return (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void => {
    const accept = (admitted: Admitted): void => {
      request.admitted = admitted
      request.maxBodyBytes = admitted.actor === null ? limits.anonymous : limits.known
      done()
    }
    try {
      const admitted = admit(request, guarded, parts)
      if (admitted instanceof Promise) admitted.then(accept, done)
      else accept(admitted)
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)))
    }
  }
}

function turn(turns: RequestTurns) {
  return ({ admitted, ip }: FastifyRequest, _reply: FastifyReply, done: () => void): void =>
    turns.take({ tenantId: admitted?.tenant.id ?? '', actor: admitted?.actor ?? null, address: ip }, done)
}

interface Answer {
  route: Route
  outcome: unknown
  context: Context
  mayCompress: boolean
  isObserved: boolean
  basePath: string
}

function sendOutcome(
  request: FastifyRequest,
  reply: FastifyReply,
  { route, outcome, basePath, ...sending }: Answer,
) {
  const { body, headers, status } =
    outcome instanceof Reply ? outcome : { body: outcome, headers: null, status: null }
  if (headers !== null) reply.headers(belowBasePath(headers, basePath))
  if (route.secret === true) reply.header('cache-control', 'no-store')
  if (route.byLanguage === true) addVary(reply, 'accept-language')
  if (headers !== null && readsOnly(request.method) && isNotModified(request.headers, headers)) {
    if (body instanceof JsonText) body.reservation?.release()
    return reply.code(304).send()
  }
  reply.code(status ?? route.status)
  if ([204, 303].includes(reply.statusCode)) return reply.send()
  if (request.method === 'HEAD' && body instanceof JsonText) return sendHead(reply, body)
  return sendBody(reply, body, sending)
}

function readIdempotency(request: FastifyRequest): Idempotency | null {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (!/^[\x21-\x7e]{1,255}$/.test(String(key))) {
    throw invalidField('Idempotency-Key', 'must be 1 to 255 printable ASCII characters', 'badPattern')
  }
  const { method, url, body } = request
  const digest = (json: string | undefined) => hash('sha256', `${method} ${url}\n${json}`, 'base64url')
  return {
    key: String(key),
    fingerprint: digest(canonicalJson(body)),
    sentFingerprint: () => digest(JSON.stringify(body)),
    replayed: false,
  }
}
