/** The routes of rows that are only read: lists, and one row. */
import { Type } from 'typebox'
import { validatorsOf } from '../api/http/reply/condition.ts'
import { pathWith } from '../api/http/reply/link.ts'
import { reportUnknownNames } from '../api/http/request/unknown-name.ts'
import { completed as withCompleted } from '../core/completion.ts'
import type { Context } from '../core/context.ts'
import type { RowsReached } from '../core/feature/field.ts'
import { Reply, type Route, route } from '../core/feature/route.ts'
import { isUuid } from '../core/id.ts'
import type { Versioned } from '../core/precondition.ts'
import { rowsIn } from '../core/rows.ts'
import { hasKey, narrowed } from '../database/read/conditions.ts'
import { everything, type Filter } from '../database/read/filter.ts'
import { hasMarks } from '../database/read/mark.ts'
import { readOne } from '../database/read/one.ts'
import type { ReadModel } from '../database/read/read-model.ts'
import { wholeRow } from './chosen-members.ts'
import { listQueryOf, listSelected } from './list.ts'
import type { ListUnder, ReadableOptions } from './readable-options.ts'
import type { Values } from './row.ts'

export function listRoute(
  options: ReadableOptions,
  model: ReadModel,
  { within, ...under }: Omit<ListUnder, 'within'> & Partial<Pick<ListUnder, 'within'>>,
): Route {
  const { row, listed = row, reach, search = [], parameters = {} } = options
  const { declared, isWhole = false } = options
  const list = listQueryOf({ model, search: search.map((name) => ({ name })), parameters })
  const shown = new Set(Object.keys(listed.properties))
  const ofWholeList = new Set([...Object.keys(parameters), 'tenant'])
  const asksForAll = (query: Values) => isWhole && Object.keys(query).every((name) => ofWholeList.has(name))
  return route({
    ...reading(options, model),
    ...under,
    query: list.schema,
    refusesUnknownParameters: true,
    reply: Type.Array(listed),
    errors: [...(under.errors ?? []), 'tooManyRequests'],
    headers: ['etag', 'link', ...(declared === undefined ? [] : (['unknown-names'] as const))],
    handle: async (context, { path, query, strict }) => {
      const values = query as Values // an object by its schema
      const unknown = unknownNames(context, options, values, strict)
      const { body, headers } = await listSelected(context, values, list, {
        path: pathWith(under.path, path),
        model,
        reach: reachWithin((await within?.(context, path)) ?? null, reach),
        listed: shown,
        isWhole: asksForAll(values),
      })
      return new Reply(body, { ...unknown, ...headers })
    },
  })
}

function reading({ tag, access, inPortal }: ReadableOptions, { isInCatalogue }: ReadModel) {
  const database = isInCatalogue === true ? 'catalogue' : 'tenant'
  return { tag, access, method: 'GET', database, ...(inPortal && { inPortal }) } as const
}

/** @throws ServiceError `invalid` for a name that nothing declares, if the request is handled strictly */
function unknownNames(
  context: Context,
  { declared }: Pick<ReadableOptions, 'declared'>,
  query: Values,
  strict: boolean,
): Record<string, string> {
  const name = declared && query[declared.member]
  if (declared === undefined || typeof name !== 'string') return {}
  const given = [[`/${declared.member}`, name]] as const
  return reportUnknownNames(context, given, { declared: declared.names(context.shared), strict })
}

/** @param within the rows that the path of the list names @returns these rows, as far as the caller may read them */
function reachWithin(within: Filter | null, reach: RowsReached | undefined): RowsReached | undefined {
  if (within === null) return reach
  return async (context, { entity, filter }) => {
    const asked = { entity, filter: narrowed(filter, within) }
    return narrowed(within, (await reach?.(context, asked)) ?? null)
  }
}

/** @param show reads the row with its hidden members @throws Error if nothing documents the route */
export function rowRoute(
  options: ReadableOptions,
  model: ReadModel,
  show: (context: Context, id: string) => Promise<unknown>,
): Route {
  const { path: base, row, hidden, key, documents } = options
  if (documents.get === undefined) throw new Error(`${base}: the route of one row is not documented.`)
  const parameter = key?.parameter ?? 'id'
  const members = { ...row.properties, ...hidden?.properties }
  const headers = [
    ...('version' in members ? (['etag'] as const) : []),
    ...('updatedAt' in members ? (['last-modified'] as const) : []),
  ]
  return route({
    ...reading(options, model),
    path: `${base}/:${parameter}`,
    ...documents.get,
    reply: row,
    errors: ['notFound'],
    headers,
    handle: async (context, { path }) => {
      const shown = await show(context, path[parameter] ?? '')
      return new Reply(shown, validatorsOf(shown as Versioned)) // by its schema
    },
  })
}

/** @returns the row as JSON text; `null` if there is no such row, or none that the caller may read */
type ReadRow = (context: Context, id: string, reached?: Filter | null) => Promise<string | null>

export function rowReader({ key, reach }: ReadableOptions, model: ReadModel): ReadRow {
  const selection = wholeRow(model)
  return async (context, id, reached) => {
    const known = reached === undefined ? reach?.(context, { entity: model, filter: everything }) : reached
    const filter = narrowed(hasKey(model, id.toLowerCase()), (await known) ?? null)
    const json =
      key !== undefined || isUuid(id)
        ? await readOne(rowsIn(context, model), { entity: model, selection, filter })
        : null
    // Marks stand for values that the process adds after the read, such as the names of users.
    if (json === null || !hasMarks(json)) return json
    const [whole = json] = await withCompleted(context, [json])
    return whole
  }
}
