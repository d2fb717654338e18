/** The parameters of a request: path, query and headers. */
import type { TSchema } from 'typebox'
import type { Route } from '../../core/feature/route.ts'
import { Uuid } from '../../core/schema/schema.ts'
import { exampleOf } from './example.ts'
import { singular } from './operation-id.ts'
import type { JsonObject, SchemaComponents } from './schema.ts'

/** Examples are inside the schema: reference pages would send an example beside the schema with every request. */
export const sharedParameters = {
  TenantHeader: {
    name: 'X-Tenant-Id',
    in: 'header',
    description: 'The tenant of the request. It has precedence over the query parameter `tenant`.',
    schema: { type: 'string', examples: ['acme'] },
  },
  TenantQuery: {
    name: 'tenant',
    in: 'query',
    description: 'The tenant of the request, if no header names one.',
    schema: { type: 'string', examples: ['acme'] },
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      '`handling=strict` refuses unknown members, query parameters and names (RFC 7240), which are otherwise ignored ' +
      'or accepted.',
    schema: { type: 'string', enum: ['handling=strict', 'handling=lenient'], examples: ['handling=strict'] },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of the representation that the client has: 304 if it is unchanged.',
    schema: { type: 'string', examples: ['"v3"'] },
  },
  IfModifiedSince: {
    name: 'If-Modified-Since',
    in: 'header',
    description: 'The `Last-Modified` of the representation that the client has: 304 if it is unchanged.',
    schema: { type: 'string', examples: ['Sat, 31 Jan 2026 09:30:00 GMT'] },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'The `ETag` of the resource as the client has read it: 412 if it has changed since.',
    schema: { type: 'string', examples: ['"v3"'] },
  },
  IfUnmodifiedSince: {
    name: 'If-Unmodified-Since',
    in: 'header',
    description:
      'The `Last-Modified` of the resource as the client has read it: 412 if it has changed in a later second. `If-Match` has precedence.',
    schema: { type: 'string', examples: ['Sat, 31 Jan 2026 09:30:00 GMT'] },
  },
  IfNone: {
    name: 'If-None-Match',
    in: 'header',
    description: '`*`: the request succeeds only if the resource does not exist, otherwise 412.',
    schema: { type: 'string', examples: ['*'] },
  },
  AcceptLanguage: {
    name: 'Accept-Language',
    in: 'header',
    description: 'The languages of names and sentences, in the order of preference (RFC 9110).',
    schema: { type: 'string', examples: ['de-CH, de;q=0.9, en;q=0.5'] },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A key that the client chooses. For 24 hours, the same request with the same key gets the first reply again.',
    schema: { type: 'string', examples: ['6f1c2f0e-2a63-4a4d-9d0a-8f4a3c1b7e55'] },
  },
} as const

/** The parameters of all operations of a path. @param routes of the path */
export function describePathParameters(routes: readonly Route[]): JsonObject[] {
  const names = [...(routes[0]?.path ?? '').matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const own = names.map((name) => ({ name, in: 'path', required: true, ...pathText(routes, name) }))
  const every = [...own, reference('Prefer')]
  if (routes.every(({ database }) => database === 'none')) return every
  return [...every, reference('TenantHeader'), reference('TenantQuery')]
}

/** Describes the parameters of the query, then those of the headers. */
export function describeParameters(route: Route, schemas: SchemaComponents): JsonObject[] {
  return [...queryParameters(route, schemas), ...headerNames(route).map(reference)]
}

/** The example is that of the member with this name in a body or reply of the routes. */
function pathText(routes: readonly Route[], name: string): JsonObject {
  const isId = name === 'id' || name.endsWith('Id')
  const own = routes.map(({ parameterTexts }) => parameterTexts?.[name]).find((text) => text !== undefined)
  const description = own ?? (isId ? `Of the ${ownerOf(routes[0]?.path ?? '', name)}` : undefined)
  if (isId && routes.every(({ ids }) => ids !== 'text')) {
    return { description, schema: { type: 'string', format: 'uuid', examples: [exampleOf(Uuid)] } }
  }
  const members = routes.flatMap(({ reply, body }) => [memberNamed(name, reply), memberNamed(name, body)])
  const member = members.find((found) => found !== null)
  return {
    description: description ?? textOf(member),
    schema: { type: 'string', examples: [member === undefined ? name : exampleOf(member)] },
  }
}

/** The noun before the parameter in the path, e.g. `product` for `/api/products/:id`. */
function ownerOf(path: string, name: string): string {
  const segments = path.split('/')
  return singular((segments[segments.indexOf(`:${name}`) - 1] ?? '').replaceAll('-', ' '))
}

function textOf(member: TSchema | undefined): string | undefined {
  return member !== undefined && 'description' in member ? String(member.description) : undefined
}

function memberNamed(name: string, schema: object | undefined): TSchema | null {
  const shape = schema !== undefined && 'items' in schema ? schema.items : schema
  if (typeof shape !== 'object' || shape === null || !('properties' in shape)) return null
  return (shape.properties as Record<string, TSchema>)[name] ?? null // the properties of an object schema
}

function queryParameters(route: Route, schemas: SchemaComponents): JsonObject[] {
  if (route.query === undefined || !('properties' in route.query)) return []
  const required = 'required' in route.query ? (route.query.required as string[]) : [] // names, in an object schema
  return Object.entries(route.query.properties as Record<string, TSchema>).map(([name, member]) => {
    const { description, ...schema } = schemas.describe(member)
    const isRequired = required.includes(name) ? { required: true } : {}
    const about = description === undefined ? {} : { description }
    return {
      name,
      in: 'query',
      ...isRequired,
      ...about,
      schema: { ...schema, examples: [exampleOf(member)] },
    }
  })
}

function headerNames(route: Route): (keyof typeof sharedParameters)[] {
  const names: (keyof typeof sharedParameters)[] = []
  if (route.method === 'GET' && route.headers?.includes('etag')) names.push('IfNoneMatch')
  if (route.method === 'GET' && route.headers?.includes('last-modified')) names.push('IfModifiedSince')
  if (route.byLanguage) names.push('AcceptLanguage')
  if (route.conditional) names.push('IfMatch', 'IfUnmodifiedSince')
  if (route.conditional && route.method === 'PUT') names.push('IfNone')
  if (route.idempotent) names.push('IdempotencyKey')
  return names
}

function reference(name: keyof typeof sharedParameters): JsonObject {
  return { $ref: `#/components/parameters/${name}` }
}
