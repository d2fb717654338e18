/** The document of a running service, and the copy of it that is committed. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '../client.ts'

export const copyPath = join(import.meta.dirname, '../../../openapi.json')

export interface OpenApi {
  tags: { name: string }[]
  paths: Record<string, PathItem>
  components: { schemas: Record<string, object>; responses: Record<string, Reply> }
  [part: string]: unknown
}

export type PathItem = Record<string, Operation>

export interface Operation {
  operationId: string
  tags: string[]
  description?: string
  security?: object[]
  parameters: {
    name?: string
    in?: string
    required?: boolean
    $ref?: string
    schema?: { examples?: unknown[] }
  }[]
  requestBody?: { content: Record<string, { schema: object; example: unknown }> }
  responses: Record<string, Reply>
}

export interface Reply {
  $ref?: string
  headers?: Record<string, object>
  content?: Record<string, { schema: object }>
}

export async function readOpenApi(anonymous: Client): Promise<OpenApi> {
  return (await anonymous.get('/swagger/v1/swagger.json')).body
}

/** As the copy has it: without the address of one service. */
export function toCopy(document: OpenApi): string {
  return `${JSON.stringify({ ...document, servers: [{ url: '/' }] }, null, 2)}\n`
}

export function readCopy(): string {
  return readFileSync(copyPath, 'utf8')
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

/** The parameters of the query without which the operation refuses a request, with their examples. */
export function requiredParameters({ parameters }: Operation): URLSearchParams {
  const required = parameters.filter(({ in: place, required: isRequired }) => place === 'query' && isRequired)
  return new URLSearchParams(required.map(({ name = '', schema }) => [name, String(schema?.examples?.[0])]))
}

/** By method and path, e.g. `GET /api/products/{id}`. */
export function operationsOf({ paths }: OpenApi): Map<string, Operation> {
  const entries = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  )
  return new Map(entries)
}
