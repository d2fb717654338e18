/** A REST route as a value, which the server mounts, the OpenAPI document describes and the tests enumerate. */
import type { Static, TSchema } from 'typebox'
import type { Context } from '../context.ts'
import type { ErrorKind } from '../errors.ts'
import type { ImpersonationRule } from '../impersonation.ts'
import type { ReplyReservation } from '../limits/reply-memory.ts'
import { isPermission, type Permission } from '../permission.ts'

/**
 * `anonymous`: tokens are ignored. `public`: a token is optional, but must be valid. `user`: a token is required.
 * A permission: a token of an actor that has it is required.
 */
export type Access = 'anonymous' | 'public' | 'user' | Permission

/** The names of the parameters of a path, as far as the compiler knows the path. */
type ParameterOf<P extends string> = string extends P
  ? string
  : P extends `${string}:${infer Name}/${infer Rest}`
    ? Name | ParameterOf<`/${Rest}`>
    : P extends `${string}:${infer Name}`
      ? Name
      : never

export interface RouteInput<Q, B, P extends string = string> {
  /** Path parameters by name. */
  path: Readonly<Record<ParameterOf<P>, string>>
  query: Q
  body: B
  /** Path and query as the caller has sent them, without the path of `BASE_URL`. */
  url: string
  /** The bytes of the body, for a route with `rawBody`; otherwise empty. */
  bytes: Uint8Array
  /** The body as it arrives, for a route with `streamedBody`; otherwise empty. */
  content: AsyncIterable<Uint8Array>
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** Whether unknown input is refused (RFC 7240, `handling=strict`). */
  strict: boolean
}

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path, with `:name` for a parameter. `id`, and names ending in `Id`, are UUIDs unless `ids` is `text`. */
  path: string
  /** The operation's name in generated clients, if method and path give no good name. */
  name?: string
  summary: string
  description?: string
  tag: string
  access: Access
  /**
   * With the access `user`: the permissions that the handler checks itself, for parts of the reply or of the
   * request.
   */
  accessOfParts?: readonly Access[]
  /**
   * Whether a session of the embedded webhook portal, which a customer of the tenant uses, may call it. The verb has to
   * restrict such a session to the subscriptions of its customer.
   */
  inPortal?: true
  /**
   * Whether an administrator of the host may call it while acting as a user. By default reads are allowed; changes, and
   * reads of secrets, are refused. Allow only changes of ordinary rows, whose effect does not outlive the access.
   */
  impersonation?: ImpersonationRule
  /**
   * What the route needs: the tenant's database (default), the catalogue only, or `none`; then no tenant is resolved
   * either.
   */
  database?: 'tenant' | 'catalogue' | 'none'
  ids?: 'uuid' | 'text'
  /** Descriptions of path parameters that neither the resource nor the body describes. */
  parameterTexts?: Readonly<Record<string, string>>
  /** Accepts an empty last parameter; otherwise an address with a trailing slash is 404. */
  takesEmptyParameter?: boolean
  /**
   * Why a list without `limit` and `cursor` cannot grow long, as a sentence such as "A tenant has 100 rules at
   * most."
   */
  bounded?: string
  query?: TSchema
  /** Refuses parameters that `query` does not name: a misspelt filter must not return all rows. */
  refusesUnknownParameters?: boolean
  body?: TSchema
  bodyOptional?: boolean
  /**
   * The largest body without a token, up to `BODY_LIMIT_BYTES`; 64 KiB by default if `public`, 16 KiB if `anonymous`.
   */
  anonymousBodyBytes?: number
  /** Takes a body of any type as bytes, instead of JSON with a schema. */
  rawBody?: { limitBytes: number; description: string }
  /** The raw body is described as bytes of any type; otherwise as JSON. */
  isBinary?: true
  /** Takes a body of any type and length as a stream, which the handler reads and bounds. */
  streamedBody?: { description: string }
  /** The reply is bytes of any type, described by this text. They are not compressed. */
  bytesReply?: string
  /**
   * The status of a successful reply. With 303 the handler returns a `Reply` with `location`: browsers go there,
   * programs do not call it, and the OpenAPI document leaves it out.
   */
  status: 200 | 201 | 202 | 204 | 303
  reply?: TSchema
  /** A second status with the same body, or 204 without one, and its meaning. */
  otherwise?: { status: 204 | 503; description: string }
  /** Further media types of replies, chosen by `Accept`. */
  otherTypes?: readonly ReplyType[]
  /** Errors beyond those that access, query and body imply. */
  errors?: readonly ErrorKind[]
  /** Reply headers to document. */
  headers?: readonly ('etag' | 'last-modified' | 'link' | 'location' | 'unknown-names' | 'live-cursor')[]
  /** Whether it takes If-Match, If-Unmodified-Since and If-None-Match. */
  conditional?: boolean
  /** The reply is in the language that `language` or `Accept-Language` asks for. */
  byLanguage?: true
  /** Whether it takes Idempotency-Key. */
  idempotent?: boolean
  /**
   * A page of HTML: the OpenAPI document leaves it out, and errors are pages as well. The handler returns it as text of
   * its type, or goes on to another address with a `Reply` of status 303.
   */
  page?: true
  /** The reply contains a secret: it is not cached, and not compressed, because its length would reveal the secret. */
  secret?: boolean
  /** The name of a rate limit policy: `strict`, or one of the settings. */
  limit?: string
  /**
   * The route may send a mail to somebody else, for a client without a token: it counts for the policy `mail` as
   * well.
   */
  mails?: boolean
  /** The route signs in the user that `userName` of the body names: see the setting `SIGN_IN_LIMIT`. */
  signsIn?: boolean
  /** The route counts its operations for rate limits itself. */
  countsItself?: boolean
  handle(context: Context, input: RouteInput<never, never>): Promise<unknown>
}

/** A further media type of replies with a status. */
export interface ReplyType {
  status: number
  type: string
  schema: TSchema
  example: unknown
}

interface TypedRoute<Q extends TSchema, B extends TSchema, P extends string>
  extends Omit<Route, 'handle' | 'query' | 'body' | 'path' | 'status'> {
  path: P
  /** 200 by default. */
  status?: Route['status']
  query?: Q
  body?: B
  handle(context: Context, input: RouteInput<Static<Q>, Static<B>, P>): Promise<unknown>
}

/** Types the handler's query and body by their schemas, and the parameters by the path. */
export function route<Q extends TSchema, B extends TSchema, const P extends string>(
  spec: TypedRoute<Q, B, P>,
): Route {
  return { status: 200, ...spec } as Route // the server calls `handle` with validated input only
}

/** Whether a request of this method changes nothing. */
export function readsOnly(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** @returns the permissions of the route's parts (`accessOfParts`) if there are any, otherwise its access */
export function accessesOfRoute({ access, accessOfParts = [] }: Route): readonly Access[] {
  const permissions = new Set(accessOfParts.filter(isPermission))
  return permissions.size === 0 ? [access] : [...permissions].toSorted()
}

/** @returns the route's own rule for impersonation, or the default one: reads that show no secret are allowed */
export function impersonationOf({ impersonation, method, secret }: Route): ImpersonationRule {
  return impersonation ?? (readsOnly(method) && secret !== true ? 'allowed' : 'refused')
}

/** A reply with headers or a status of its own. */
export class Reply {
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
  /** The status, if not that of the route. */
  readonly status: number | null

  constructor(body: unknown, headers: Readonly<Record<string, string>>, status: number | null = null) {
    this.body = body
    this.headers = headers
    this.status = status
  }
}

/**
 * JSON text from the database: whole, in chunks when it is long, or streamed for an unbounded list; bytes of a file.
 */
export class JsonText {
  readonly content: string | readonly (string | Uint8Array)[] | AsyncIterable<string | Uint8Array>
  readonly type: string
  /** The reservation of its memory, released with the reply; `null` if none was made. */
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
