/** Error replies and reply headers: each described once and referenced by the operations. */

import { Type } from 'typebox'
import { capital } from '../../core/capital.ts'
import { type ErrorKind, errorKinds } from '../../core/errors.ts'
import type { ReplyType } from '../../core/feature/route.ts'
import { translationsOf } from '../../core/language/languages.ts'
import { codedError, codedFault } from '../../core/schema/coded-fault.ts'
import { ErrorMessage } from '../../core/schema/schema.ts'
import { type JsonObject, type SchemaComponents, sortedByName } from './schema.ts'

/** Problem details (RFC 9457). */
export const Problem = Type.Object(
  {
    type: Type.String({
      description: 'Always `about:blank`: the title has the meaning',
      examples: ['about:blank'],
    }),
    title: Type.String({ description: 'The kind of the error', examples: [errorKinds.invalid.text] }),
    status: Type.Integer({ description: 'The status of the reply', examples: [errorKinds.invalid.status] }),
    ...codedError,
    detail: Type.String({
      description: 'The text that `message` has otherwise',
      examples: ['price: must be >= 0'],
    }),
    instance: Type.String({ description: 'The address of the request', examples: ['/api/products'] }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          pointer: Type.String({ description: 'A JSON pointer into the body', examples: ['#/price'] }),
          detail: Type.String({ description: 'The fault', examples: ['must be >= 0'] }),
          ...codedFault,
        }),
        { description: 'The faults of the body' },
      ),
    ),
  },
  {
    $id: 'Problem',
    description:
      'The body of every error as `application/problem+json` (RFC 9457), for clients whose `Accept` prefers it to ' +
      '`application/json`.',
  },
)

function headerOf(
  description: string,
  example: string | number,
  schema: JsonObject = { type: 'string' },
): JsonObject {
  return { description, schema, example }
}

const integer = { type: 'integer' }

export const sharedHeaders = {
  'X-Request-Id': headerOf(
    'The id of the request in the log of the service.',
    '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11',
  ),
  ETag: headerOf('The version of the representation.', '"v3"'),
  'Last-Modified': headerOf(
    'The time of the last change, in whole seconds.',
    'Sat, 31 Jan 2026 09:30:00 GMT',
  ),
  Link: headerOf(
    'The next page, with `rel="next"` (RFC 8288).',
    '</api/products?limit=50&cursor=MDE5OGM2>; rel="next"',
  ),
  'X-Total-Count': headerOf('The number of rows of all pages, where `count=true` asks for it.', 120, integer),
  'Accept-Ranges': headerOf('That parts of the content can be requested.', 'bytes'),
  'Content-Range': headerOf('Which part of the content this is (RFC 9110).', 'bytes 0-99/1234'),
  'Content-Disposition': headerOf('The name of the file (RFC 6266).', 'inline; filename="logo.png"'),
  Location: headerOf(
    'The address of the new resource.',
    '/api/products/0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11',
  ),
  'Idempotency-Replayed': headerOf('`true` if this is the reply of an earlier request.', 'true'),
  'X-Unknown-Names': headerOf(
    'Accepted names that no feature declares, each with the nearest declared name (RFC 8941).',
    'prodct.created; did-you-mean=product.created',
  ),
  'Live-Cursor': headerOf(
    'Where the list can be followed from, with `POST /api/live`.',
    'mi3k8z2q.pM9xT2aQ.MTc2NDI',
  ),
  'Preference-Applied': headerOf('The preference that was applied (RFC 7240).', 'handling=strict'),
  'WWW-Authenticate': headerOf(
    'The required kind of credentials, and the fault of a token that was sent (RFC 6750).',
    'Bearer error="invalid_token", error_description="The token has expired."',
  ),
  'X-Mfa-Token': headerOf(
    'After a right password: the token with which the sign-in goes on.',
    'pq0Zb3KQw1Yx5C6Tn8Rv2Lh4Jd7Fg9Sa0Ue1Io3Pm5k',
  ),
  'X-Mfa-Methods': headerOf(
    'What the sign-in goes on with: of `totp`, `recovery` and `passkey`, comma-separated, or `enroll`.',
    'totp,recovery',
  ),
  'Retry-After': headerOf('The number of seconds to wait.', 10, integer),
  RateLimit: headerOf('The remaining quota (IETF draft).', '"strict";r=4;t=10'),
  'RateLimit-Policy': headerOf('The quota (IETF draft).', '"strict";q=5;w=10'),
}

type HeaderName = keyof typeof sharedHeaders

/** References to the given headers, and to those of every reply. */
export function headerReferences(names: readonly HeaderName[]): Record<string, JsonObject> {
  const all: HeaderName[] = ['X-Request-Id', 'Preference-Applied', ...names]
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

const headersOfStatus: Record<number, readonly HeaderName[]> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  503: ['Retry-After'],
}

const headersOfKind: Partial<Record<ErrorKind, readonly HeaderName[]>> = {
  secondFactorRequired: ['X-Mfa-Token', 'X-Mfa-Methods'],
}

export class ErrorReplies {
  readonly #schemas: SchemaComponents
  readonly #found = new Map<string, JsonObject>()

  constructor(schemas: SchemaComponents) {
    this.#schemas = schemas
  }

  /** A reference for each status among the errors; the kinds that share a status share a reply. */
  describe(kinds: readonly ErrorKind[], otherTypes: readonly ReplyType[]): Record<string, JsonObject> {
    const byStatus = Map.groupBy(inRegistryOrder(kinds), (kind) => errorKinds[kind].status)
    const replies = [...byStatus].map(([status, alike]) => {
      const others = otherTypes.filter((other) => other.status === status)
      return [
        status,
        others.length === 0 ? this.#refer(status, alike) : this.#describe(status, alike, others),
      ]
    })
    return Object.fromEntries(replies)
  }

  components(): Record<string, JsonObject> {
    return sortedByName(this.#found)
  }

  #refer(status: number, kinds: readonly ErrorKind[]): JsonObject {
    const name = kinds.map(capital).join('Or')
    this.#found.set(name, this.#describe(status, kinds, []))
    return { $ref: `#/components/responses/${name}` }
  }

  #describe(status: number, kinds: readonly ErrorKind[], others: readonly ReplyType[]): JsonObject {
    return {
      description: kinds.map((kind) => errorKinds[kind].text).join(' Or: '),
      'x-labels': Object.fromEntries(kinds.map((kind) => [kind, translationsOf('errors', kind)])),
      headers: headerReferences([
        ...(headersOfStatus[status] ?? []),
        ...kinds.flatMap((kind) => headersOfKind[kind] ?? []),
      ]),
      content: { 'application/json': this.#content(kinds), ...contentOf(others, this.#schemas) },
    }
  }

  #content(kinds: readonly ErrorKind[]): JsonObject {
    const examples = kinds.map((kind) => [kind, { value: { message: errorKinds[kind].text } }])
    return { schema: this.#schemas.describe(ErrorMessage), examples: Object.fromEntries(examples) }
  }
}

export function contentOf(types: readonly ReplyType[], schemas: SchemaComponents): JsonObject {
  const contents = types.map(({ type, schema, example }) => [
    type,
    { schema: schemas.describe(schema), example },
  ])
  return Object.fromEntries(contents)
}

function inRegistryOrder(kinds: readonly ErrorKind[]): ErrorKind[] {
  const all = Object.keys(errorKinds) as ErrorKind[] // the registry's own keys
  return all.filter((kind) => kinds.includes(kind))
}
