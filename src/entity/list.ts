/** Lists of an entity over REST: filters, orders, a search, pages, a count and chosen members, all in the query. */
import { type TObject, type TSchema, Type } from 'typebox'
import { type Cursors, listReply, type ReadJsonPage } from '../api/http/reply/json-list.ts'
import { completed } from '../core/completion.ts'
import type { Context } from '../core/context.ts'
import { invalidField } from '../core/errors.ts'
import type { RowsReached } from '../core/feature/field.ts'
import { Reply } from '../core/feature/route.ts'
import { CallerTime } from '../core/limits/caller-time.ts'
import { notKnown } from '../core/names.ts'
import { defaultPageSize, ListParameters } from '../core/page.ts'
import { decodeRowCursor, encodeRowCursor } from '../core/row-cursor.ts'
import { rowsIn } from '../core/rows.ts'
import { withMembers } from '../core/schema/schema.ts'
import { narrowed } from '../database/read/conditions.ts'
import { everything, type Filter } from '../database/read/filter.ts'
import { markedIn } from '../database/read/mark.ts'
import { type SortKey, totalOrder } from '../database/read/order.ts'
import { maxBytesOfText, maySort, type ReadField, type ReadModel } from '../database/read/read-model.ts'
import { isReadable } from '../database/read/readable.ts'
import { countRows } from '../database/read/slice.ts'
import { selectionOf } from './chosen-members.ts'
import { type FilterParameter, filterParameters, maxWords, searchFilter } from './filter.ts'
import { type RowsRequest, readPage, readPlainPage } from './page.ts'
import type { EntityParts } from './parts.ts'
import type { Values } from './row.ts'
import { pagesWithFiles } from './row-files.ts'
import { withMe } from './user-reference.ts'

export interface ListQuery {
  schema: TObject
  filters: ReadonlyMap<string, FilterParameter>
  /** The case-folded texts in which the search looks. */
  searched: readonly ReadField[]
}

const maxSortKeys = 4
const maxSearchLength = 1024
/** A cursor contains the values by which the list is sorted, and has to fit into a URL. */
const maxCursorLength = 8000
/** Lists are not sorted by members that may be longer, because their values would not fit into a cursor. */
export const maxSortedBytes = maxBytesOfText(2000)
const tooLongToSort = 'has texts that are too long for a cursor; sort by shorter members'

/** Parameters of every list whose rows the database renders. */
const commonParameters = {
  limit: ListParameters.limit,
  cursor: Type.Optional({ ...ListParameters.cursor, maxLength: maxCursorLength }),
  sort: sortParameter('createdAt'),
  fields: ListParameters.fields,
  count: ListParameters.count,
}

interface ListOptions extends Pick<EntityParts, 'model'> {
  /** The members in which the search looks. */
  search: readonly { name: string }[]
  /** Filters beside those of the members, by the names of their parameters. */
  parameters?: Readonly<Record<string, FilterParameter>>
}

export function listQueryOf({ model, search, parameters = {} }: ListOptions): ListQuery {
  const timed = model.time === undefined ? {} : { sort: sortParameter(model.time) }
  const common = { ...commonParameters, ...timed, ...examplesFor(model) }
  const own = search.length === 0 ? common : { ...common, search: searchParameter(search) }
  const taken = new Set([...Object.keys(own), ...Object.keys(parameters), 'tenant'])
  const filters = new Map([...Object.entries(parameters), ...filterParameters(model, taken)])
  const filtering = Object.fromEntries([...filters].map(([name, { schema }]) => [name, schema]))
  return {
    schema: Type.Object({ ...own, ...filtering }),
    filters,
    searched: search.flatMap(({ name }) => model.fields.get(name) ?? []),
  }
}

/** Examples for rows that a name identifies in place of an id: their cursors and members differ. */
function examplesFor(model: ReadModel) {
  const [key] = model.key
  if (key === undefined || key.kind === 'uuid') return {}
  const cursor = encodeRowCursor(model, totalOrder(model, []), [key.name])
  const [member = ''] = model.fields.keys()
  return {
    cursor: Type.Optional(withMembers(commonParameters.cursor, { examples: [cursor] })),
    fields: Type.Optional(withMembers(commonParameters.fields, { examples: [member] })),
  }
}

function sortParameter(example: string): TSchema {
  return Type.Optional(
    Type.String({
      maxLength: 300,
      description: `Up to ${maxSortKeys} members, separated by commas; \`-\` before one sorts it descending`,
      examples: [`-${example}`],
    }),
  )
}

function searchParameter(search: ListOptions['search']): TSchema {
  const names = search.map(({ name }) => `\`${name}\``).join(' or ')
  return Type.Optional(
    Type.String({
      maxLength: maxSearchLength,
      description: `Up to ${maxWords} words that must all occur in ${names}, ignoring case; more are refused`,
      examples: ['oak'],
    }),
  )
}

/** @throws ServiceError `invalid` for a parameter that the list does not understand */
export function listRows(
  context: Context,
  query: Values,
  list: ListQuery,
  { names, model, statements, shape }: EntityParts,
): Promise<Reply> {
  const { path } = names
  const decorate = (read: ReadJsonPage) => pagesWithFiles(context, shape, read)
  if (!isPlain(query)) return listSelected(context, query, list, { path, model, decorate })
  const request = rowsRequest(context, query, list, { model })
  // One prepared statement renders rows that have no lists, and the id of a row is its cursor.
  return shape.children.length === 0
    ? listReply(
        context,
        path,
        query,
        decorate((place) => readPlainPage(context, statements, request, place)),
      )
    : listReply(
        context,
        path,
        query,
        decorate((place) => readPage(context, request, place)),
        cursorsOf(request),
      )
}

/** Whether the query has no filter, no sort, no count and no chosen members. */
function isPlain(query: Values): boolean {
  return Object.keys(query).every((name) => name === 'limit' || name === 'cursor' || name === 'tenant')
}

interface ListedRows {
  path: string
  model: ReadModel
  /** Determines the rows that the caller may read; all if absent. */
  reach?: RowsReached | undefined
  /** The members that a list has; all if absent. */
  listed?: ReadonlySet<string> | undefined
  /** Whether a request without `limit` and `cursor` gets all rows. */
  isWhole?: boolean | undefined
  /** Adds to the pages what the database does not render. */
  decorate?(read: ReadJsonPage): ReadJsonPage
}

/**
 * One page of the rows that the query selects; all of them with `isWhole`.
 * @throws ServiceError `invalid` for a parameter that the list does not understand
 */
export async function listSelected(
  context: Context,
  query: Values,
  list: ListQuery,
  { path, model, reach, listed, isWhole, decorate = (read) => read }: ListedRows,
): Promise<Reply> {
  const found = rowsRequest(context, query, list, { model, listed })
  const reached = reach === undefined ? null : await reach(context, { entity: model, filter: found.filter })
  const request = { ...found, filter: narrowed(found.filter, reached) }
  const { filter, order, time } = request
  const reply = () =>
    listReply(
      context,
      path,
      isWhole === true ? query : { limit: defaultPageSize, ...query },
      decorate(completing(context, request, (place) => readPage(context, request, place))),
      cursorsOf(request),
    )
  if (query['count'] !== 'true') return reply()
  // Counted first: a count that is refused must not leave the memory of a reply reserved.
  const rows = { entity: model, filter, order, after: null, before: null }
  const total = await countRows(rowsIn(context, model), rows, { time, take: () => undefined })
  const { body, headers } = await reply()
  return new Reply(body, { ...headers, 'x-total-count': `${total}` })
}

/** Wraps a reader of pages, so that rows also have the members that the process makes, such as names of users. */
function completing(context: Context, { selection }: RowsRequest, read: ReadJsonPage): ReadJsonPage {
  if (markedIn(selection) === null) return read
  return async (place) => {
    const page = await read(place)
    if (!page?.json) return page
    const [json = null] = await completed(context, [page.json])
    return { ...page, json }
  }
}

function rowsRequest(
  context: Context,
  query: Values,
  list: ListQuery,
  { model, listed }: Pick<ListedRows, 'model' | 'listed'>,
): RowsRequest {
  return {
    entity: model,
    selection: selectionOf(query, model, { reach: rowsIn(context, model).reach, listed }),
    time: new CallerTime(context),
    filter: filterOf(query, list, { context, model }),
    order: orderOf(query, model),
  }
}

function cursorsOf({ entity, order }: RowsRequest): Cursors {
  return {
    start: '',
    encode: (place) => {
      // A longer cursor would be refused when the client sends it for the next page.
      if (place.length > maxCursorLength) throw invalidField('sort', tooLongToSort, 'notPossible')
      return place
    },
    decode: (cursor) => {
      if (decodeRowCursor(entity, order, cursor) === null)
        throw invalidField('cursor', 'does not belong to this list in this order', 'badCursor')
      return cursor
    },
  }
}

export function filterOf(
  query: Values,
  { filters, searched }: ListQuery,
  { context, model }: { context: Context; model: ReadModel },
): Filter {
  const { actor } = context
  const parts: Filter[] = []
  for (const [name, value] of Object.entries(query)) {
    const parameter = filters.get(name)
    if (parameter === undefined) continue
    const given = parameter.takesMe ? withMe(value, actor) : value
    const part = parameter.read(given, context, model)
    if (part !== everything) parts.push(part) // an empty part would hide that an index serves the others
  }
  const words = query['search']
  if (searched.length > 0 && typeof words === 'string')
    parts.push(searchFilter(readableIn(context, model, searched), words))
  return { kind: 'and', parts }
}

/** Only rows of tenants have members with read rules; rows of the catalogue have none. */
function readableIn(context: Context, model: ReadModel, fields: readonly ReadField[]): readonly ReadField[] {
  return model.isInCatalogue === true ? fields : fields.filter(isReadable(context.data.reach))
}

/** @throws ServiceError `invalid` for a member by which the list cannot be sorted */
function orderOf({ sort }: Values, model: ReadModel): SortKey[] {
  const words = typeof sort === 'string' && sort !== '' ? sort.split(',') : []
  if (words.length > maxSortKeys)
    throw invalidField('sort', `must name ${maxSortKeys} members at most`, {
      code: 'tooMany',
      parameters: { limit: maxSortKeys },
    })
  return totalOrder(
    model,
    words.map((word) => sortKey(word.trim(), model)),
  )
}

/** `-price`, or a field of a related row, `customer.name`. */
function sortKey(word: string, model: ReadModel): SortKey {
  const descending = word.startsWith('-')
  const name = word.slice(descending ? 1 : 0)
  const [owner = '', ...path] = name.split('.')
  const inner = path.length === 0 ? undefined : path.join('.') // no field has a dot in its name
  const relation = inner === undefined ? undefined : model.relations.get(owner)
  const fields = inner === undefined ? model.fields : relation?.kind === 'one' ? relation.entity.fields : null
  const field = fields?.get(inner ?? name)
  const sorted = relation?.entity ?? model
  if (field === undefined || !maySort(sorted, field))
    throw invalidField('sort', notKnown(word, 'not a member to sort by', sortedBy(model)), 'unknownName')
  if (field.maxBytes > maxSortedBytes) throw invalidField('sort', `${name} ${tooLongToSort}`, 'notPossible')
  return { path: relation === undefined ? [] : [relation], field, descending }
}

function sortedBy(model: ReadModel): string[] {
  return [...model.fields.values()].filter((field) => maySort(model, field)).map(({ name }) => name)
}
