/** Requests of every kind for the operations of an OpenAPI document. */
import fc, { type Arbitrary } from 'fast-check'
import { type OpenApi, operationsOf } from '../../../support/http/openapi-document.ts'
import { password } from '../../../support/service.ts'
import { inlined } from '../inlined.ts'
import { headersOf } from './headers.ts'
import { hostileValue, known, nearlyValidValue, type Schema, validValue } from './values.ts'

/** With `~kind.place~` in place of an existing name. */
export interface GeneratedRequest {
  operation: string
  method: string
  url: string
  /** The title of the caller whose token is sent. */
  caller: string
  headers: Record<string, string>
  body: string | null
  /** No client would write the address: it may lead to another route, or nowhere. */
  isOffRoute: boolean
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  schema: Schema
}

interface Described {
  parameters: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

/** The callers who may do it, or whom alone it disturbs. */
const ownCallers: Record<string, string[]> = {
  'PUT /api/users/{id}': ['host', 'host', 'administrator', 'user', 'nobody'],
  'POST /api/tenants': ['host', 'host', 'administrator', 'nobody'],
  // One operation runs at a time: the others would be refused until the tenant is moved.
  'POST /api/tenants/{id}/move': ['administrator', 'user', 'stranger', 'nobody'],
  'POST /api/auth/logout': ['nobody', 'broken', 'leaving-1', 'leaving-2', 'leaving-3'],
  'POST /api/auth/sso/sign-out': ['nobody', 'broken', 'leaving-1', 'leaving-2', 'leaving-3'],
  'DELETE /api/auth/sessions': ['nobody', 'broken', 'leaving-1', 'leaving-2', 'leaving-3'],
  'PUT /api/users/me/password': ['nobody', 'broken', 'changing-1', 'changing-2', 'changing-3'],
}

/** Operations that succeed only with values that no schema describes. */
export const ownBodies: Record<string, unknown> = {
  'POST /api/auth/login': { userName: 'admin', password },
  'PUT /api/users/me/password': { currentPassword: password, newPassword: password },
  'POST /api/orders': { customerId: 'customer', items: [{ productId: '~products.0~', quantity: 2 }] },
  'PUT /api/orders/{id}': { customerId: 'other' },
  'PUT /api/users/{id}': { lastName: 'Other' },
  'PUT /api/roles/{name}': { permissions: ['order:read'] },
  'POST /api/api-keys': { name: 'Import', permissions: ['order:read'] },
}

/** Operations that are slow (hashing passwords) or end what others need are called less often. */
const rarely = /^(POST \/api\/(users|tenants|init|auth\/log)|DELETE \/api\/users|PUT \/api\/users\/me)/

/** @param callers titles of those who may call anything; some operations change their caller and have their own */
export function requestsFor(document: OpenApi, callers: readonly string[]): Arbitrary<GeneratedRequest> {
  const operations = [...operationsOf(document).keys()].map((operation) => ({
    weight: rarely.test(operation) ? 5 : 10,
    arbitrary: requestFor(operation, describe(document, operation), callers),
  }))
  return fc.oneof(...operations)
}

function describe(document: OpenApi, operation: string): Described {
  const [method = '', path = ''] = operation.split(' ')
  const item = document.paths[path] as unknown as Record<string, Described> // a path item of the document
  const own = inlined(document, item[method.toLowerCase()]) as Described
  const shared = inlined(document, item['parameters']) as unknown as Parameter[] | undefined
  return { ...own, parameters: [...(shared ?? []), ...own.parameters] }
}

function requestFor(
  operation: string,
  { parameters, requestBody }: Described,
  callers: readonly string[],
): Arbitrary<GeneratedRequest> {
  const [method = '', path = ''] = operation.split(' ')
  const of = (place: string) => parameters.filter((parameter) => parameter.in === place)
  const caller = fc.constantFrom(...(ownCallers[operation] ?? callers))
  const content = requestBody?.content ?? {}
  const body = (content['application/json'] ?? content['*/*'])?.schema
  return fc
    .record({
      address: addressOf(path, of('path')),
      query: queryOf(of('query')),
      headers: headersOf(of('header').map(({ name }) => name.toLowerCase())),
      caller,
      body: body ? bodyText(body, ownBodies[operation]) : fc.constant(null),
      type: fc.oneof(
        { weight: 40, arbitrary: fc.constant('application/json') },
        fc.constantFrom(...otherTypes),
      ),
    })
    .map(({ address, query, headers, body: text, type, caller: who }) => ({
      operation,
      method,
      url: `${address.path}${query}`,
      caller: who,
      headers: { ...headers, ...(text !== null && { 'content-type': type }) },
      body: text,
      isOffRoute: address.isOffRoute,
    }))
}

const otherTypes = [
  'application/json; charset=utf-8',
  'text/plain',
  'application/xml',
  '',
  'application/json;',
]

/** Segments that lead elsewhere, or cannot be decoded. */
const offRoute = [
  '%zz',
  '%ff',
  '%',
  '',
  '..',
  '%2e%2e',
  '..%2f..%2f',
  '%00%',
  '%ED%A0%80',
  'a/b',
  'x'.repeat(2000),
]

function addressOf(path: string, parameters: Parameter[]) {
  const segment = parameters[0]
  if (segment === undefined) return fc.constant({ path, isOffRoute: false })
  const text = fc.oneof(
    { weight: 6, arbitrary: known(kindOf(path, segment.name)) },
    { weight: 2, arbitrary: validValue(segment.schema).map(toSegment) },
    { weight: 2, arbitrary: hostileValue.map(toSegment) },
  )
  const onRoute = text.map((value) => ({ path: path.replace(/{\w+}/, () => value), isOffRoute: false }))
  const off = fc
    .constantFrom(...offRoute)
    .map((value) => ({ path: path.replace(/{\w+}/, value), isOffRoute: true }))
  return fc.oneof({ weight: 30, arbitrary: onRoute }, { weight: 1, arbitrary: off })
}

/** Of the names that fit into the path. */
export function kindOf(path: string, parameter: string): string {
  const isOfCollection = parameter === 'id' || path.startsWith('/api/preferences/')
  return isOfCollection ? (path.split('/{')[0]?.split('/').at(-1) ?? '') : parameter
}

/** `.` and `..` are no segments of their own, and neither is an empty one. */
function toSegment(value: unknown): string {
  const text = encodeURIComponent(asText(value).slice(0, 300).toWellFormed())
  return /^\.{0,2}$/.test(text) ? 'x' : text
}

function queryOf(parameters: Parameter[]): Arbitrary<string> {
  const absent = Math.max(6, 2 * parameters.length) // a list with many filters gets few of them
  const pairs = parameters.map(({ name, schema }) => {
    const tenant = name === 'tenant' ? known('tenantId') : validValue(schema, name)
    const value = fc.oneof({ weight: 4, arbitrary: tenant }, { weight: 1, arbitrary: hostileValue })
    const pair = value.map((any) => `${name}=${encodeURIComponent(asText(any))}`)
    const usual = name === 'tenant' ? 1 : 3
    return fc.oneof({ weight: absent, arbitrary: fc.constant('') }, { weight: usual, arbitrary: pair })
  })
  const stray = fc.constantFrom(
    '',
    '',
    '',
    '',
    'limit=1&limit=2',
    'a=%zz',
    '%00',
    '__proto__=1',
    'constructor=1',
    '&&=&',
  )
  return fc.tuple(...pairs, stray).map((parts) => {
    const given = parts.filter((part) => part !== '')
    return given.length === 0 ? '' : `?${given.join('&')}`
  })
}

const brokenBodies = [
  '',
  '{',
  '[',
  'null',
  '"',
  '""',
  'NaN',
  '{"a":1,}',
  '{"__proto__":{}}',
  '\ud800',
  '{"name":"\\ud800"}',
]

/** @param own a body of which every member is right */
function bodyText(schema: Schema, own: unknown): Arbitrary<string> {
  return fc.oneof(
    { weight: own === undefined ? 0 : 20, arbitrary: fc.constant(JSON.stringify(own)) },
    { weight: 12, arbitrary: validValue(schema).map((value) => JSON.stringify(value)) },
    { weight: 6, arbitrary: nearlyValidValue(schema).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: hostileValue.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.constantFrom(...brokenBodies) },
  )
}

function asText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.toWellFormed()
}
