/** A request for each operation as a client of good will sends it: it succeeds in a fresh scene. */
import type { OpenApi } from '../../../support/http/openapi-document.ts'
import { type Operation, operationsOf, requiredParameters } from '../../../support/http/openapi-document.ts'
import { type GeneratedRequest, kindOf, ownBodies, withVersion } from './requests.ts'

/** What the example of the document does not say, or says of something that is not there. */
const ownMembers: Record<string, unknown> = {
  productId: '~products.0~',
  categoryId: '~categories.0~',
  tenantId: '~tenantId.0~',
  refreshToken: '~refreshToken.0~',
  url: 'http://127.0.0.1:9/hooks', // nobody there
}

/** Where the example would do more than is wanted. */
const goodBodies: Record<string, unknown> = {
  ...ownBodies,
  'POST /api/auth/logout': {},
  'POST /api/auth/sso/sign-out': { returnTo: '/welcome' },
  'POST /api/auth/passkeys/request-options': {},
  'PUT /api/tenant/settings': { brandName: 'Acme' },
}

const logo = '<svg xmlns="http://www.w3.org/2000/svg"/>'

/** Of operations that take no JSON. */
const goodTexts: Record<string, string> = {
  'POST /api/files': 'some',
  'PUT /api/tenant/brand/logo': logo,
  'PUT /api/tenant/brand/logo/dark': logo,
}

const queries: Record<string, string> = {
  'GET /graphql': 'query={__typename}',
  'POST /api/files': 'name=a.txt',
}

/** Others than the administrator of the tenant. */
const ownCallers: [operations: RegExp, caller: string][] = [
  [/ \/api\/(tenants|migrations|backups|sign-ups)/, 'host'],
  [/impersonate$/, 'host'],
  [/logout$/, 'leaving-1'],
  [/sign-out$/, 'leaving-2'],
  [/^DELETE \/api\/auth\/sessions$/, 'leaving-3'],
  [/users\/me/, 'changing-1'],
]

/** What is created comes first, and what is deleted last. */
const order = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE']

/** @param ofHost operations that only the host may call */
export function goodRequests(document: OpenApi, ofHost: ReadonlySet<string>): GeneratedRequest[] {
  const operations = [...operationsOf(document)].map(([operation, described]) => {
    const example = described.requestBody?.content['application/json']?.example
    const body = goodBodies[operation] ?? withKnown(example)
    const caller = ofHost.has(operation) ? 'host' : callerOf(operation)
    return goodRequest(operation, described, { body, caller })
  })
  return operations.toSorted((one, other) => rankOf(one) - rankOf(other))
}

function callerOf(operation: string): string {
  return ownCallers.find(([operations]) => operations.test(operation))?.[1] ?? 'administrator'
}

function goodRequest(
  operation: string,
  described: Operation,
  { body, caller }: { body: unknown; caller: string },
): GeneratedRequest {
  const [method = '', path = ''] = operation.split(' ')
  const known = withVersion(path).replace(
    /{(\w+)}/,
    (_all, name) => `~${kindOf(path, name)}.${placeFor(operation)}~`,
  )
  const query = queries[operation] ?? requiredParameters(described).toString()
  const plain = goodTexts[operation]
  const type = plain === undefined ? 'application/json' : 'text/plain'
  const text = plain ?? (body === undefined ? null : JSON.stringify(body))
  return {
    operation,
    method,
    url: query === '' ? known : `${known}?${query}`,
    caller,
    headers: text === null ? {} : { 'content-type': type },
    body: text,
    isOffRoute: false,
  }
}

/** What is paid cannot be cancelled, what is either cannot be changed, and a provider with rules stays. */
function placeFor(operation: string): number {
  if (operation === 'PUT /api/orders/{id}') return 2
  return /cancel$|providers\/{provider}$/.test(operation) ? 1 : 0
}

function withKnown(example: unknown): unknown {
  if (example === undefined) return undefined
  return JSON.parse(JSON.stringify(example), (name, value) => ownMembers[name] ?? value)
}

/** A collection is created before what is done to its rows; a category goes after its products, and returns first. */
function rankOf({ method, operation }: GeneratedRequest): number {
  if (operation.endsWith('/{id}/restore'))
    return 10 * order.length + (operation.includes('categories') ? 0 : 1)
  const isLast = operation === 'DELETE /api/categories/{id}'
  return 10 * order.indexOf(method) + (isLast ? 2 : operation.includes('{') ? 1 : 0)
}
