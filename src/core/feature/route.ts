/** A REST route as a value: the server mounts it, the documents describe it, the tests walk it. */
import type { Static, TSchema } from 'typebox'
import type { Context } from '../context.ts'
import type { ErrorKind } from '../errors.ts'
import type { ReplyReservation } from '../limits/reply-memory.ts'

/**
 * `anonymous`: tokens are not looked at. `public`: no token is needed, but one that comes along must be good.
 * `user`: a token. `admin`: a token with the role Admin.
 */
export type Access = 'anonymous' | 'public' | 'user' | 'admin'

export interface RouteInput<Q, B> {
  /** Path parameters by name. */
  path: Readonly<Record<string, string>>
  query: Q
  body: B
  /** As they came, where the route takes a `rawBody`; else none. */
  bytes: Uint8Array
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** Whether what is unknown is refused (RFC 7240, `handling=strict`). */
  strict: boolean
}

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `:name` for a parameter; one called `id`, or ending in `Id`, is a UUID unless `ids` says `text`. */
  path: string
  /** What generated clients call the operation, where method and path do not give a good name. */
  name?: string
  summary: string
  description?: string
  tag: string
  access: Access
  /**
   * What has to be ready: the tenant's database (default), only the catalogue, or with `none` nothing at all:
   * then no tenant is resolved either.
   */
  database?: 'tenant' | 'catalogue' | 'none'
  ids?: 'uuid' | 'text'
  /** What path parameters are, by name, where neither a resource nor the body says it. */
  parameterTexts?: Readonly<Record<string, string>>
  /** It judges a last parameter that is empty; otherwise there is nothing at an address with a slash at its end. */
  takesEmptyParameter?: boolean
  query?: TSchema
  body?: TSchema
  /** The body may be left out. */
  bodyOptional?: boolean
  /** The largest body without a token, up to `BODY_LIMIT_BYTES`; by default 64 KiB if `public`, 16 KiB if `anonymous`. */
  anonymousBodyBytes?: number
  /** Takes a body of any type, as it comes, instead of JSON that a schema describes. */
  rawBody?: { limitBytes: number; description: string }
  /** The status of success. */
  status: 200 | 201 | 202 | 204
  reply?: TSchema
  /** A second status with the same body, and what it means. */
  otherwise?: { status: 503; description: string }
  /** Of success or failure, instead of the usual JSON, as `Accept` asks for it. */
  otherTypes?: readonly ReplyType[]
  /** What can go wrong beyond what access, query and body imply. */
  errors?: readonly ErrorKind[]
  /** Reply headers worth describing. */
  headers?: readonly ('etag' | 'last-modified' | 'link' | 'location' | 'unknown-names')[]
  /** Takes If-Match, If-Unmodified-Since and If-None-Match. */
  conditional?: boolean
  /** Takes Idempotency-Key. */
  idempotent?: boolean
  /** The reply holds a secret: no cache stores it, and it is not compressed, which would tell of it by its length. */
  secret?: boolean
  /** A rate limit policy by name: `strict`, or what the settings give it. */
  limit?: string
  /** It counts what it is asked for by itself. */
  countsItself?: boolean
  handle(context: Context, input: RouteInput<never, never>): Promise<unknown>
}

/** A media type that replies of a status may have. */
export interface ReplyType {
  status: number
  type: string
  schema: TSchema
  example: unknown
}

interface TypedRoute<Q extends TSchema, B extends TSchema> extends Omit<Route, 'handle' | 'query' | 'body'> {
  query?: Q
  body?: B
  handle(context: Context, input: RouteInput<Static<Q>, Static<B>>): Promise<unknown>
}

/** Types the handler's query and body by their schemas. */
export function route<Q extends TSchema, B extends TSchema>(spec: TypedRoute<Q, B>): Route {
  return spec as Route // the server calls `handle` only with what the two schemas have accepted
}

/** Whether a request of this method changes nothing. */
export function readsOnly(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** A reply that needs more than its body. */
export class Reply {
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
  /** Where it differs from the route's own. */
  readonly status: number | null

  constructor(body: unknown, headers: Readonly<Record<string, string>>, status: number | null = null) {
    this.body = body
    this.headers = headers
    this.status = status
  }
}

/** Text made elsewhere: by the database, in pieces when it is long, or piece by piece for a list without end. */
export class JsonText {
  readonly content: string | readonly (string | Uint8Array)[] | AsyncIterable<string | Uint8Array>
  readonly type: string
  /** Of its memory, released when the reply is over; `null` for a text whose memory nobody has reserved. */
  readonly reservation: ReplyReservation | null

  constructor(
    content: JsonText['content'],
    type = 'application/json; charset=utf-8',
    reservation: JsonText['reservation'] = null,
  ) {
    this.content = content
    this.type = type
    this.reservation = reservation
  }
}
