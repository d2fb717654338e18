/** One route as an OpenAPI operation. */
import type { ErrorKind } from '../../core/errors.ts'
import { type Access, accessesOfRoute, type Route } from '../../core/feature/route.ts'
import { isPermission } from '../../core/permission.ts'
import { exampleOf } from './example.ts'
import { operationIdOf } from './operation-id.ts'
import { describeParameters } from './parameter.ts'
import { contentOf, type ErrorReplies, headerReferences } from './reply.ts'
import type { JsonObject, SchemaComponents } from './schema.ts'

export function describeOperation(route: Route, schemas: SchemaComponents, errors: ErrorReplies): JsonObject {
  return {
    tags: [route.tag],
    operationId: operationIdOf(route),
    summary: route.summary,
    ...descriptionOf(route),
    ...securityOf(route.access),
    parameters: describeParameters(route, schemas),
    ...requestBody(route, schemas),
    responses: {
      ...successReplies(route, schemas),
      ...errors.describe(errorsOf(route), route.otherTypes ?? []),
    },
  }
}

function descriptionOf(route: Route): JsonObject {
  const parts = [route.description, route.bounded, permissionsOf(route)]
  const text = parts.filter((each) => each !== undefined).join(' ')
  return text === '' ? {} : { description: text }
}

function permissionsOf(route: Route): string | undefined {
  const permissions = accessesOfRoute(route).filter(isPermission)
  if (permissions.length === 0) return undefined
  if (isPermission(route.access)) return `Requires the permission \`${route.access}\`.`
  return `Asks for a permission for each part: ${permissions.map((each) => `\`${each}\``).join(', ')}.`
}

/** Either of the two credentials is enough. */
export const credentials = [{ bearer: [] }, { apiKey: [] }]

/** A public route accepts a token, whose tenant is the default. */
function securityOf(access: Access): JsonObject {
  if (access === 'anonymous') return { security: [] }
  return access === 'public' ? { security: [{}, ...credentials] } : {}
}

function requestBody(route: Route, schemas: SchemaComponents): JsonObject {
  const { body, rawBody, isBinary, streamedBody, bodyOptional } = route
  const binary = isBinary === true ? rawBody : streamedBody
  if (binary !== undefined) {
    const schema = { type: 'string', format: 'binary', description: binary.description }
    return { requestBody: { required: true, content: { '*/*': { schema } } } }
  }
  if (rawBody !== undefined) {
    const schema = { type: 'object', description: rawBody.description, additionalProperties: true }
    return { requestBody: { required: false, content: { 'application/json': { schema, example: {} } } } }
  }
  if (body === undefined) return {}
  return { requestBody: { required: bodyOptional !== true, content: jsonContent(body, schemas) } }
}

function jsonContent(schema: Route['body'], schemas: SchemaComponents): JsonObject {
  if (schema === undefined) return {}
  return { 'application/json': { schema: schemas.describe(schema), example: exampleOf(schema) } }
}

function successReplies(route: Route, schemas: SchemaComponents): Record<string, JsonObject> {
  const headers = headerReferences(successHeaders(route))
  const success: JsonObject = { description: successTexts[route.status], headers }
  if (route.reply !== undefined) {
    const others = (route.otherTypes ?? []).filter(({ status }) => status === route.status)
    success['content'] = { ...jsonContent(route.reply, schemas), ...contentOf(others, schemas) }
  }
  const replies: Record<string, JsonObject> = { [route.status]: success }
  if (route.bytesReply !== undefined) {
    const schema = { type: 'string', format: 'binary', description: route.bytesReply }
    success['content'] = { '*/*': { schema } }
    replies['206'] = {
      ...success,
      description: 'The range of the content that `Range` names.',
      headers: headerReferences([...successHeaders(route), 'Content-Range']),
    }
  }
  if (route.otherwise !== undefined) {
    const { status, description } = route.otherwise
    replies[status] = {
      description,
      headers: headerReferences([]),
      ...(status !== 204 && { content: jsonContent(route.reply, schemas) }),
    }
  }
  const validators = successHeaders(route).filter((name) => name === 'ETag' || name === 'Last-Modified')
  if (route.method === 'GET' && validators.length > 0) {
    replies['304'] = {
      description: 'Not modified: the client has this representation.',
      headers: headerReferences(validators),
    }
  }
  return replies
}

const successTexts = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted.',
  204: 'Done, without a body.',
  303: 'The client goes on to the address in `Location`.',
}

function successHeaders(route: Route): Parameters<typeof headerReferences>[0] {
  const described = (route.headers ?? []).map(
    (name) =>
      (
        ({
          etag: 'ETag',
          'last-modified': 'Last-Modified',
          link: 'Link',
          location: 'Location',
          'unknown-names': 'X-Unknown-Names',
          'live-cursor': 'Live-Cursor',
        }) as const
      )[name],
  )
  return [
    ...described,
    ...(counts(route) ? ['X-Total-Count' as const] : []),
    ...(route.bytesReply === undefined ? [] : ['Accept-Ranges' as const, 'Content-Disposition' as const]),
    ...(route.idempotent ? ['Idempotency-Replayed' as const] : []),
    ...(route.limit === undefined ? [] : ['RateLimit' as const, 'RateLimit-Policy' as const]),
  ]
}

/** Whether the route is a list that counts its rows on request. */
function counts({ query }: Route): boolean {
  return query !== undefined && 'properties' in query && Object.hasOwn(query.properties as object, 'count') // a query has an object schema
}

/** The errors that the route declares, and those that follow from its members. */
function errorsOf(route: Route): ErrorKind[] {
  return [
    ...(route.errors ?? []),
    ...(route.database === 'none' ? [] : [...accessErrorsOf(route.access), ...tenantErrors]),
    ...(route.query === undefined ? [] : ['invalid' as const]),
    ...(route.body === undefined ? [] : bodyErrors),
    ...(mayBeCostly(route) ? ['tooManyRequests' as const] : []),
    ...(route.rawBody === undefined ? [] : rawBodyErrors),
    ...(route.idempotent ? idempotencyErrors : []),
    ...(route.conditional ? ['preconditionFailed' as const] : []),
    ...(route.limit === undefined ? [] : ['tooManyRequests' as const]),
    'internal',
  ]
}

/** `invalid`: the name of the tenant is empty. */
const tenantErrors = ['invalid', 'unavailable'] as const
const tokenErrors = ['unauthorized', 'wrongTenant', 'tenantInactive'] as const
/** `notFound` without a required token: the named tenant does not exist. */
function accessErrorsOf(access: Access): readonly ErrorKind[] {
  if (access === 'anonymous') return ['notFound']
  if (access === 'public') return [...tokenErrors, 'notFound']
  return isPermission(access) ? [...tokenErrors, 'forbidden'] : tokenErrors
}
const bodyErrors = ['invalid', 'tooLarge', 'unsupportedMediaType'] as const
/** Whether the body may be large enough to be charged. */
function mayBeCostly({ body, access, anonymousBodyBytes }: Route): boolean {
  return body !== undefined && (access !== 'anonymous' || anonymousBodyBytes !== undefined)
}

/** The errors of a route with a raw body. Such a route accepts any valid media type. */
const rawBodyErrors = ['tooLarge', 'unsupportedMediaType'] as const
const idempotencyErrors = ['invalid', 'conflict', 'keyReused'] as const
