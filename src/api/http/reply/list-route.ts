/** Routes of lists that no single query reads, because their rows are in several databases or in memory. */
import { type Static, type TObject, type TProperties, Type } from 'typebox'
import type { Context } from '../../../core/context.ts'
import { JsonText, Reply, type Route, route } from '../../../core/feature/route.ts'
import {
  chosenNames,
  defaultPageSize,
  encodeCursor,
  ListParameters,
  type Page,
  type PageRequest,
} from '../../../core/page.ts'
import { nextLink, pathWith } from './link.ts'

type RouteOptions = Omit<
  Route,
  'method' | 'query' | 'refusesUnknownParameters' | 'status' | 'reply' | 'headers' | 'handle'
>

/** @typeParam R the schema of a row @typeParam F the parameters that filter the list */
interface ListOptions<R extends TObject, F extends TProperties> extends RouteOptions {
  row: R
  filters?: F
  /** What a cursor holds, as an example: an id by default. */
  exampleKey?: string
  /** Whether a request without `limit` and `cursor` gets all rows. */
  isWhole?: boolean
  /** @param path the parameters of the path */
  read(
    context: Context,
    request: PageRequest & Static<TObject<F>>,
    path: Readonly<Record<string, string>>,
  ): Promise<Page<Static<R>>>
}

/** `GET` of a list with the parameters that every list has. */
export function listRoute<R extends TObject, F extends TProperties = Record<never, never>>({
  row,
  filters,
  exampleKey,
  isWhole = false,
  read,
  ...described
}: ListOptions<R, F>): Route {
  const members = Object.keys(row.properties)
  return route({
    ...described,
    method: 'GET',
    query: Type.Object({ ...parametersOf(members, exampleKey), ...filters }),
    refusesUnknownParameters: true,
    reply: Type.Array(row),
    headers: ['link'],
    handle: async (context, input) => {
      const query = input.query as Static<TObject<typeof ListParameters>> // the filters come with them
      const { fields = '', count, ...others } = query
      const chosen = fields === '' ? null : chosenNames(fields, members)
      const isAll = isWhole && query.cursor === undefined
      const limit = query.limit ?? (isAll ? Number.POSITIVE_INFINITY : defaultPageSize)
      const request = { ...others, limit, isCounted: count === 'true' }
      const page = await read(context, request as typeof request & Static<TObject<F>>, input.path) // the schema of the query has these members
      const body = chosen === null ? page.items : withMembers(page.items, members, chosen)
      const address = pathWith(described.path, input.path)
      const headers: Record<string, string> = {}
      if (page.next !== null) headers['link'] = nextLink(address, query, page.next)
      if (request.isCounted) headers['x-total-count'] = `${page.total}`
      return new Reply(body, headers)
    },
  })
}

function parametersOf(members: readonly string[], exampleKey: string | undefined): typeof ListParameters {
  const [member = ''] = members
  const { cursor, fields } = ListParameters
  return {
    ...ListParameters,
    fields: Type.Optional({ ...fields, examples: [member] }),
    ...(exampleKey !== undefined && {
      cursor: Type.Optional({ ...cursor, examples: [encodeCursor(exampleKey)] }),
    }),
  }
}

/** Renders the chosen members itself, because the schema of the reply demands every member. */
function withMembers(
  rows: readonly unknown[],
  members: readonly string[],
  chosen: ReadonlySet<string>,
): JsonText {
  const shown = members.filter((name) => chosen.has(name))
  const pick = (row: Record<string, unknown>) => Object.fromEntries(shown.map((name) => [name, row[name]]))
  return new JsonText(JSON.stringify((rows as Record<string, unknown>[]).map(pick))) // rows have an object schema
}
