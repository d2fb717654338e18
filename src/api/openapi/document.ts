/** The OpenAPI document, derived from the routes: it describes only what is mounted. */

import type { Route } from '../../core/feature/route.ts'
import { credentials, describeOperation } from './operation.ts'
import { describePathParameters, sharedParameters } from './parameter.ts'
import { ErrorReplies, Problem, sharedHeaders } from './reply.ts'
import { type JsonObject, SchemaComponents } from './schema.ts'

export interface ApiInfo {
  /** The version of the API, e.g. `v1`. */
  version: string
  /** The prefix of the paths. */
  baseUrl: string
}

/** @returns an OpenAPI 3.1 document, @throws Error when two different schemas share one `$id` */
export function buildOpenApi(mounted: readonly Route[], info: ApiInfo): JsonObject {
  const routes = mounted.filter(({ status, page }) => status !== 303 && page !== true) // these are for browsers
  const schemas = new SchemaComponents()
  // Described once, not with each error: generated clients would otherwise have two types for each.
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
  const responses = errors.components()
  return {
    openapi: '3.1.1',
    info: {
      title: 'Tenantry',
      version: info.version,
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: info.baseUrl }],
    security: credentials,
    tags: tagsOf(routes).map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The `accessToken` of `POST /api/auth/login`, or the `key` of `POST /api/api-keys`.',
        },
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Api-Key',
          description: 'The `key` of `POST /api/api-keys`.',
        },
      },
      parameters: sharedParameters,
      headers: headersIn({ paths, responses }),
      responses,
      schemas: schemas.components(),
    },
  }
}

/** Finds the headers that operations and errors refer to. */
function headersIn(replies: object): Partial<typeof sharedHeaders> {
  const text = JSON.stringify(replies)
  const used = Object.entries(sharedHeaders).filter(([name]) =>
    text.includes(`#/components/headers/${name}"`),
  )
  return Object.fromEntries(used)
}

/** Authentication comes first; the other tags are in the order of the features. */
function tagsOf(routes: readonly Route[]): string[] {
  const tags = new Set(routes.map(({ tag }) => tag))
  return [...tags].toSorted((one, other) => Number(other === firstTag) - Number(one === firstTag))
}

const firstTag = 'Authentication'

/** The document as text, built on first use and cached. */
export function openApiText(routes: readonly Route[], info: ApiInfo): () => string {
  let text: string | null = null
  return () => {
    text ??= JSON.stringify(buildOpenApi(routes, info))
    return text
  }
}

const introduction = `The REST API of a multi-tenant application back end.

- **Tenant**: \`X-Tenant-Id\`, else the query parameter \`tenant\`, else the first label of the host, else the tenant of the token, else the host tenant. A token is valid for its own tenant only.
- **Errors**: \`{"message": "…"}\`, or RFC 9457 problem details, the schema \`Problem\`, for clients whose \`Accept\` prefers \`application/problem+json\`. Every reply has an \`X-Request-Id\`.
- **Lists**: JSON arrays. \`limit\` and \`cursor\` page them, and the \`Link\` header has the next page.
- **Changes**: \`If-Match\` prevents lost updates, \`Idempotency-Key\` repeated effects.`
