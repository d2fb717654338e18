/**
 * What can be read of a table that other code writes: a list, single rows, and GraphQL fields, from one description. Its
 * rows are those of an entity in everything that a caller reads with: filters, orders, pages, counts, chosen members.
 */
import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { completed as withCompleted } from '../core/completion.ts'
import type { Context } from '../core/context.ts'
import { ServiceError } from '../core/errors.ts'
import type { GraphQLPart, QueryField, RowsReached } from '../core/feature/field.ts'
import { JsonText, type Route, route } from '../core/feature/route.ts'
import { isUuid } from '../core/id.ts'
import type { Permission } from '../core/permission.ts'
import { rowsIn } from '../core/rows.ts'
import { type Filter, hasKey, narrowed } from '../database/read/filter.ts'
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
  /** The rows of all tenants, or of a table without a tenant: `reach` refuses whoever may not read them. */
  isOfInstallation?: boolean
  members?: Readonly<Record<string, MemberSource>>
  /** In sentences: `rule`. */
  label: string
  path: string
  tag: string
  access: Permission
  /** The rows beside which there is none for the caller; `null` for all of the tenant. */
  reach?: (context: Context, model: ReadModel) => Filter | null
  /** The members that filters name. An index serves them, or the rows are few. */
  filters: readonly string[]
  /** The members by which a list can be sorted. */
  sorts?: readonly string[]
  /** Sorts with an index on `(tenant, member, id)`. */
  indexes?: readonly string[]
  parameters?: Readonly<Record<string, FilterParameter>>
  isNewestFirst?: boolean
  /** A list that names nothing but `parameters` has all rows. Every other list is a page. */
  isWhole?: boolean
  /** What the documents say of the list, and of one row. */
  documents: Readonly<Record<'list' | 'get', { summary: string; description: string }>>
}

/** @typeParam R a row */
export interface Readable<R> {
  readonly model: ReadModel
  /** `GET` of the list, and of one row. */
  readonly list: Route
  readonly get: Route
  readonly graphql: GraphQLPart
  /** @returns `null` for none that the caller reaches */
  find(context: Context, id: string): Promise<R | null>
  /** For verbs that answer with the row. @throws ServiceError `notFound`, also for a row that the caller does not reach */
  show(context: Context, id: string): Promise<R>
}

/** @throws Error for a member that is neither a column nor described */
export function readable<const S extends TObject>(options: ReadableOptions<S>): Readable<Static<S>> {
  const model = modelOf(options)
  const { reach } = options
  const within: RowsReached = (context) => reach?.(context, model) ?? null
  const row = rowReader(model, within)
  return {
    model,
    list: listRoute(options, model, within),
    get: rowRoute(options, model, row),
    graphql: { queries: queriesOf(options, model, within) },
    find: async (context, id) => JSON.parse((await row(context, id)) ?? 'null') as Static<S> | null, // rendered by its model
    show: async (context, id) => JSON.parse((await row(context, id)) ?? missing(options)) as Static<S>, // likewise
  }
}

function missing({ label }: Pick<ReadableOptions, 'label'>): never {
  throw new ServiceError('notFound', `There is no such ${label}.`)
}

function modelOf<S extends TObject>(options: ReadableOptions<S>): ReadModel {
  const { row, table, members = {}, filters, sorts = [], indexes = [] } = options
  const json = Object.entries(members).flatMap(([name, { jsonBytes }]) =>
    jsonBytes === undefined ? [] : [[name, jsonBytes] as const],
  )
  const model = readModel(row, {
    table: table as keyof TenantTables, // of the catalogue or of tenants
    indexes: indexes.map((each) => [each]),
    json: Object.fromEntries(json),
  })
  const fields = [...model.fields].map(
    ([name, field]) => [name, { ...sourced(field, members[name]), ...formOf(row.properties[name]) }] as const,
  )
  return {
    ...model,
    name: options.type ?? model.name,
    fields: new Map(fields),
    named: { filters: new Set(filters), sorts: new Set(['createdAt', ...sorts]) },
    isKeyedByTime: true,
    ...(options.isInCatalogue === true && { isInCatalogue: true }),
    ...(options.isOfInstallation === true && { isInCatalogue: true, isOfInstallation: true }),
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

/** As GraphQL has an object of the same schema. */
function formOf(member: TSchema = {}): Partial<ReadField> {
  const { items, 'x-json': isJson } = member as { items?: { type?: string }; 'x-json'?: boolean } // keywords of a schema
  return {
    ...(items?.type === 'string' && { isTextList: true }),
    ...(isJson === true && { isNullable: true }),
  }
}

function listRoute<S extends TObject>(
  options: ReadableOptions<S>,
  model: ReadModel,
  reach: RowsReached,
): Route {
  const { path, row, listed = row, parameters = {}, isWhole = false, documents } = options
  const list = listQueryOf({ model, search: [], parameters })
  const shown = new Set(Object.keys(listed.properties))
  const plain = new Set([...Object.keys(parameters), 'tenant'])
  const isAll = (query: Values) => isWhole && Object.keys(query).every((name) => plain.has(name))
  return route({
    ...reading(options, model),
    path,
    ...documents.list,
    query: list.schema,
    refusesUnknownParameters: true,
    status: 200,
    reply: Type.Array(listed),
    headers: ['etag', 'link'],
    handle: (context, input) => {
      const query = input.query as Values // an object by its schema
      const asked = isAll(query) ? { ...query, limit: undefined } : query
      return listSelected(context, asked, list, { path, model, reach, listed: shown })
    },
  })
}

function reading<S extends TObject>({ tag, access }: ReadableOptions<S>, { isInCatalogue }: ReadModel) {
  const database = isInCatalogue === true ? 'catalogue' : 'tenant'
  return { tag, access, method: 'GET', database } as const
}

function rowRoute<S extends TObject>(options: ReadableOptions<S>, model: ReadModel, read: ReadRow): Route {
  return route({
    ...reading(options, model),
    path: `${options.path}/:id`,
    ...options.documents.get,
    status: 200,
    reply: options.row,
    errors: ['notFound'],
    handle: async (context, { path }) =>
      new JsonText((await read(context, path['id'] ?? '')) ?? missing(options)),
  })
}

/** @returns the row as JSON text; `null` for none that the caller reaches */
type ReadRow = (context: Context, id: string) => Promise<string | null>

function rowReader(model: ReadModel, reach: RowsReached): ReadRow {
  const selection = wholeRow(model)
  return async (context, id) => {
    const filter = narrowed(hasKey(model, id.toLowerCase()), reach(context))
    const json = isUuid(id)
      ? await readOne(rowsIn(context, model), { entity: model, selection, filter })
      : null
    if (json === null || !hasMarks(json)) return json
    const [whole = json] = await withCompleted(context, [json])
    return whole
  }
}

function queriesOf<S extends TObject>(
  { name, plural, label, access }: ReadableOptions<S>,
  entity: ReadModel,
  reach: RowsReached,
): Record<string, QueryField> {
  const common = { entity, access, reach }
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
