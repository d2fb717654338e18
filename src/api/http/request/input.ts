/** Validates a request against its route: the body, then the query, then the ids in the path. */
import type { TSchema } from 'typebox'
import { refusal, ServiceError } from '../../../core/errors.ts'
import type { Route } from '../../../core/feature/route.ts'
import { isUuid } from '../../../core/id.ts'
import { inputReader } from '../../../core/schema/input.ts'

export interface RawRequest {
  body: unknown
  query: unknown
  params: unknown
}

/**
 * Each reader is made at the first request of its route: those of all routes together would delay the start.
 * @returns a function that throws ServiceError: `invalid`, then `notFound` for an id that cannot exist
 */
export function requestReader(route: Route): RequestReader {
  let read: RequestReader | null = null
  return (request) => {
    read ??= newReader(route)
    return read(request)
  }
}

type RequestReader = (request: RawRequest) => {
  body: unknown
  query: unknown
  path: Record<string, string>
}

function newReader(route: Route): RequestReader {
  const readBody = route.body === undefined ? null : bodyReader(route.body, route.bodyOptional === true)
  const readQuery = route.query === undefined ? null : queryReader(route.query)
  const ids = route.ids === 'text' ? [] : idParameters(route.path)
  return ({ body, query, params }: RawRequest) => {
    const path = params as Record<string, string> // the router gives the path's own parameters
    return { body: readBody?.(body), query: readQuery?.(query), path: withIds(path, ids) }
  }
}

function bodyReader(schema: TSchema, optional: boolean): (body: unknown) => unknown {
  const read = inputReader(schema)
  return (body) => {
    if (body !== undefined) return read(body)
    if (optional) return undefined
    throw refusal('bodyMissing')
  }
}

/**
 * Query values are text; integers of the schema are converted. `tenant` was resolved before, but is kept for the link
 * to the next page.
 */
function queryReader(schema: TSchema): (query: unknown) => unknown {
  const read = inputReader(schema)
  const members = Object.entries((schema as unknown as ObjectSchema).properties) // queries are object schemas
  const numbers = members.filter(([, { type }]) => type === 'integer').map(([name]) => name)
  const known = new Set(members.map(([name]) => name))
  return (query) => {
    const values: Record<string, unknown> = {}
    const given = query as Record<string, unknown> // the query parser returns an object
    for (const [name, value] of Object.entries(given)) {
      if (!known.has(name)) continue
      const isNumber = numbers.includes(name) && typeof value === 'string' && /^-?\d+$/.test(value)
      values[name] = isNumber ? Number(value) : value
    }
    const { tenant } = query as { tenant?: unknown }
    const checked = read(values) as object // queries are object schemas
    return typeof tenant === 'string' && tenant !== '' ? { ...checked, tenant } : checked
  }
}

interface ObjectSchema {
  properties: Record<string, { type?: string }>
}

function idParameters(path: string): string[] {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  return names.filter((name) => name === 'id' || name.endsWith('Id'))
}

function withIds(path: Record<string, string>, ids: string[]): Record<string, string> {
  for (const name of ids) {
    const id = path[name] ?? ''
    if (!isUuid(id)) throw new ServiceError('notFound')
    path[name] = id.toLowerCase()
  }
  return path
}
