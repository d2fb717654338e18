/** The OpenAPI document, made from the routes alone: it cannot tell of anything that is not mounted. */

import type { Route } from '../../core/feature/route.ts'
import { describeOperation } from './operation.ts'
import { describePathParameters, sharedParameters } from './parameter.ts'
import { ErrorReplies, Problem, sharedHeaders } from './reply.ts'
import { type JsonObject, SchemaComponents } from './schema.ts'

export interface ApiInfo {
  /** Of the interface, e.g. `v1`. */
  version: string
  /** What the paths begin with. */
  baseUrl: string
}

/** @returns an OpenAPI 3.1 document, @throws Error when two different schemas share one `$id` */
export function buildOpenApi(routes: readonly Route[], info: ApiInfo): JsonObject {
  const schemas = new SchemaComponents()
  // Once, and not with each error: a generated client would have two types for every one of them.
  schemas.describe(Problem)
  const errors = new ErrorReplies(schemas)
  const byPath = Map.groupBy(routes, ({ path }) => path.replaceAll(/:(\w+)/g, '{$1}'))
  const paths = Object.fromEntries(
    [...byPath].map(([path, alike]) => {
      const operations = alike.map((one) => [
        one.method.toLowerCase(),
        describeOperation(one, schemas, errors),
      ])
      return [path, { parameters: describePathParameters(alike), ...Object.fromEntries(operations) }]
    }),
  )
  return {
    openapi: '3.1.1',
    info: {
      title: 'Tenantry',
      version: info.version,
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: info.baseUrl }],
    security: [{ bearer: [] }],
    tags: tagsOf(routes).map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The `accessToken` that `POST /api/auth/login` answers with.',
        },
      },
      parameters: sharedParameters,
      headers: sharedHeaders,
      responses: errors.components(),
      schemas: schemas.components(),
    },
  }
}

/** Whoever reads it signs in first; the others are in the order of the features. */
function tagsOf(routes: readonly Route[]): string[] {
  const tags = new Set(routes.map(({ tag }) => tag))
  return [...tags].toSorted((one, other) => Number(other === firstTag) - Number(one === firstTag))
}

const firstTag = 'Authentication'

/** The document as text: made when it is first asked for, then kept. */
export function openApiText(routes: readonly Route[], info: ApiInfo): () => string {
  let text: string | null = null
  return () => {
    text ??= JSON.stringify(buildOpenApi(routes, info))
    return text
  }
}

const introduction = `The REST API of a multi-tenant application back end.

- **Tenant**: \`X-Tenant-Id\`, else the query parameter \`tenant\`, else the first label of the host, else the tenant of the token, else the host tenant. It has to be the tenant of the token, if there is one.
- **Errors**: \`{"message": "…"}\`, or RFC 9457 problem details, the schema \`Problem\`, for a client whose \`Accept\` prefers \`application/problem+json\`. Every reply carries \`X-Request-Id\`.
- **Lists**: JSON arrays; \`limit\` and \`cursor\` page them, the \`Link\` header leads to the next page.
- **Changes**: \`If-Match\` protects against lost updates, \`Idempotency-Key\` against doing a thing twice.`
