/**
 * What can be read of a table that other code writes: a list, single rows, and GraphQL fields, from one description. Its
 * rows are those of an entity in everything that a caller reads with: filters, orders, pages, counts, chosen members.
 */
import { type Static, type TObject, Type } from 'typebox'
import { reportUnknownNames } from '../api/http/request/unknown-name.ts'
import { completed as withCompleted } from '../core/completion.ts'
import type { Context, Shared } from '../core/context.ts'
import { ServiceError } from '../core/errors.ts'
import type { GraphQLPart, QueryField, RowsReached } from '../core/feature/field.ts'
import { JsonText, Reply, type Route, route } from '../core/feature/route.ts'
import { isUuid } from '../core/id.ts'
import type { DeclaredNames } from '../core/names.ts'
import type { Permission } from '../core/permission.ts'
import { rowsIn } from '../core/rows.ts'
import { everything, type Filter, hasKey, narrowed } from '../database/read/filter.ts'
import { hasMarks } from '../database/read/mark.ts'
import { readOne } from '../database/read/one.ts'
import {
  type Completed,
  type Derivation,
  type ReadField,
  type ReadModel,
  readModel,
} from '../database/read/read-model.ts'
import type { TenantTables } from '../database/tenant-tables.ts'
import { wholeRow } from './chosen-members.ts'
import type { FilterParameter } from './filter.ts'
import { listQueryOf, listSelected } from './list.ts'
import type { Values } from './row.ts'

/** How a member differs from the column of its name. */
export interface MemberSource {
  column?: string
  /** The database makes it from columns. */
  derived?: Derivation
  /** The process makes it after the read: see `completedText`. */
  completed?: Completed
  /** It is stored as JSON text, of so many bytes at most. */
  jsonBytes?: number
}

/** @typeParam S the schema of a row */
export interface ReadableOptions<S extends TObject = TObject> {
  /** A singular noun, the GraphQL field of one row: `webhookRule`. */
  name: string
  /** `webhookRules` */
  plural: string
  /** The GraphQL type of a row; by default the `$id` of its schema. */
  type?: string
  /** The schema of one row. Members with the name of their column need nothing else. */
  row: S
  /** The schema of a row in lists, if it has fewer members. */
  listed?: TObject
  table: string
  isInCatalogue?: boolean
  members?: Readonly<Record<string, MemberSource>>
  /** In sentences: `rule`. */
  label: string
  path: string
  tag: string
  access: Permission
  inPortal?: true
  reach?: RowsReached
  /** The members that filters name. An index serves them, or the rows are few. */
  filters: readonly string[]
  /** The members by which a list can be sorted. */
  sorts?: readonly string[]
  /** Sorts with an index on `(tenant, member, id)`. */
  indexes?: readonly string[]
  parameters?: Readonly<Record<string, FilterParameter>>
  /** A member whose values are names: the list reports one in its filter that no feature declares. */
  declared?: { member: string; names(shared: Shared): DeclaredNames }
  /** The member with the time of creation; `createdAt` if absent. */
  time?: string
  isNewestFirst?: boolean
  /** What the documents say of the list, and of one row, unless that route is written by hand. */
  documents: { list: Documented; get?: Documented }
}

interface Documented {
  summary: string
  description: string
}

/** A list of the rows that belong to something. */
export interface ListUnder extends Documented {
  /** With parameters. */
  path: string
  errors?: NonNullable<Route['errors']>
  /** @returns the rows that belong to what the parameters of the path name */
  within(context: Context, path: Readonly<Record<string, string>>): Promise<Filter>
}

/** @typeParam R a row */
export interface Readable<R> {
  readonly model: ReadModel
  /** `GET` of the list, and of one row. */
  readonly list: Route
  readonly get: Route
  /** `GET` of the rows that belong to something. */
  listUnder(under: ListUnder): Route
  readonly graphql: GraphQLPart
  /**
   * For verbs that answer with the row.
   * @param reached the rows that the caller reaches, if they are known already
   * @throws ServiceError `notFound`, also for a row that the caller does not reach
   */
  show(context: Context, id: string, reached?: Filter | null): Promise<R>
}

/** @throws Error for a member that is neither a column nor described */
export function readable<const S extends TObject>(options: ReadableOptions<S>): Readable<Static<S>> {
  const model = modelOf(options)
  const row = rowReader(options, model)
  return {
    model,
    list: listRoute(options, model, { path: options.path, ...options.documents.list }),
    get get() {
      return rowRoute(options, row)
    },
    listUnder: (under) => listRoute(options, model, under),
    graphql: { queries: queriesOf(options, model) },
    show: async (context, id, reached) => JSON.parse(await row(context, id, reached)) as Static<S>, // rendered by its model
  }
}

function modelOf<S extends TObject>(options: ReadableOptions<S>): ReadModel {
  const { row, table, members = {}, filters, sorts = [], indexes = [], time = 'createdAt' } = options
  const json = Object.entries(members).flatMap(([name, { jsonBytes }]) =>
    jsonBytes === undefined ? [] : [[name, jsonBytes] as const],
  )
  const model = readModel(row, {
    table: table as keyof TenantTables, // of the catalogue or of tenants
    indexes: indexes.map((each) => [each]),
    json: Object.fromEntries(json),
  })
  const fields = [...model.fields].map(([name, field]) => [name, sourced(field, members[name])] as const)
  return {
    ...model,
    name: options.type ?? model.name,
    fields: new Map(fields),
    named: { filters: new Set(filters), sorts: new Set([time, ...sorts]) },
    isKeyedByTime: true,
    time,
    ...(options.isInCatalogue === true && { isInCatalogue: true }),
    ...(options.isNewestFirst === true && { isNewestFirst: true }),
  }
}

function sourced(field: ReadField, { column, derived, completed }: MemberSource = {}): ReadField {
  return {
    ...field,
    ...(column !== undefined && { column }),
    ...(derived !== undefined && { derived }),
    ...(completed !== undefined && { completed }),
  }
}

function listRoute<S extends TObject>(
  options: ReadableOptions<S>,
  model: ReadModel,
  { within, ...under }: Omit<ListUnder, 'within'> & Partial<Pick<ListUnder, 'within'>>,
): Route {
  const { tag, access, inPortal, row, listed = row, reach, parameters = {}, declared } = options
  const list = listQueryOf({ model, search: [], parameters })
  const shown = new Set(Object.keys(listed.properties))
  return route({
    tag,
    access,
    method: 'GET',
    ...under,
    ...(inPortal && { inPortal }),
    query: list.schema,
    refusesUnknownParameters: true,
    status: 200,
    reply: Type.Array(listed),
    headers: ['etag', 'link', ...(declared === undefined ? [] : (['unknown-names'] as const))],
    handle: async (context, { path, query, strict }) => {
      const values = query as Values // an object by its schema
      const unknown = unknownNames(context, options, values, strict)
      const { body, headers } = await listSelected(context, values, list, {
        path: pathWith(under.path, path),
        model,
        reach: reachWithin((await within?.(context, path)) ?? null, reach),
        listed: shown,
      })
      return new Reply(body, { ...unknown, ...headers })
    },
  })
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

function reachWithin(within: Filter | null, reach: RowsReached | undefined): RowsReached | undefined {
  if (within === null) return reach
  return async (context, { entity, filter }) => {
    const asked = { entity, filter: narrowed(filter, within) }
    return narrowed(within, (await reach?.(context, asked)) ?? null)
  }
}

function pathWith(path: string, parameters: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(parameters[name] ?? ''))
}

function rowRoute<S extends TObject>(
  { path: base, tag, access, row, documents: { get } }: ReadableOptions<S>,
  read: ReadRow,
): Route {
  if (get === undefined) throw new Error(`${base}: the route of one row is not documented.`)
  return route({
    tag,
    access,
    method: 'GET',
    path: `${base}/:id`,
    ...get,
    status: 200,
    reply: row,
    errors: ['notFound'],
    handle: async (context, { path }) => new JsonText(await read(context, path['id'] ?? '')),
  })
}

/** @returns the row as JSON text @throws ServiceError `notFound` */
type ReadRow = (context: Context, id: string, reached?: Filter | null) => Promise<string>

function rowReader<S extends TObject>({ label, reach }: ReadableOptions<S>, model: ReadModel): ReadRow {
  const selection = wholeRow(model)
  return async (context, id, reached) => {
    const known = reached === undefined ? reach?.(context, { entity: model, filter: everything }) : reached
    const filter = narrowed(hasKey(model, id.toLowerCase()), (await known) ?? null)
    const json = isUuid(id)
      ? await readOne(rowsIn(context, model), { entity: model, selection, filter })
      : null
    if (json === null) throw new ServiceError('notFound', `There is no such ${label}.`)
    if (!hasMarks(json)) return json
    const [whole = json] = await withCompleted(context, [json])
    return whole
  }
}

function queriesOf<S extends TObject>(
  { name, plural, label, access, reach }: ReadableOptions<S>,
  entity: ReadModel,
): Record<string, QueryField> {
  const common = { entity, access, ...(reach !== undefined && { reach }) }
  const order = entity.isNewestFirst === true ? 'newest first' : 'in the order of creation'
  return {
    [plural]: { ...common, kind: 'connection', description: `Matching rows, ${order} by default.` },
    [`${plural}Aggregate`]: {
      ...common,
      kind: 'aggregate',
      description: 'Numbers of the matching rows, by group.',
    },
    [name]: { ...common, kind: 'one', description: `The ${label} with this id, or null.` },
  }
}
