/**
 * What can be read of a table that other code writes: a list, single rows, and GraphQL fields, from one description. Its
 * rows are those of an entity in everything that a caller reads with: filters, orders, pages, counts, chosen members.
 */

import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { validatorsOf } from '../api/http/reply/condition.ts'
import { completed as withCompleted } from '../core/completion.ts'
import type { Context } from '../core/context.ts'
import { ServiceError } from '../core/errors.ts'
import type { GraphQLPart, QueryField, RowsReached } from '../core/feature/field.ts'
import { Reply, type Route, route } from '../core/feature/route.ts'
import { isUuid } from '../core/id.ts'
import type { Permission } from '../core/permission.ts'
import type { Versioned } from '../core/precondition.ts'
import { rowsIn } from '../core/rows.ts'
import { withMembers } from '../core/schema/schema.ts'
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
import { listQueryOf, listSelected, maxSortedBytes } from './list.ts'
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

/** @typeParam S the schema of a row @typeParam H the schema of members that only code sees */
export interface ReadableOptions<S extends TObject = TObject, H extends TObject = TObject> {
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
  /** The schema of members that `show` has and callers do not see. With `version` and `updatedAt` replies have validators. */
  hidden?: H
  table: string
  /** The column with the name of a row, if rows have no `id`, and the parameter of the path that has one. */
  key?: { column: string; parameter: string }
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
  /** Whether sessions of the embedded portal may read it. */
  inPortal?: boolean
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
export function readable<const S extends TObject, const H extends TObject = TObject<Record<never, never>>>(
  options: ReadableOptions<S, H>,
): Readable<Static<S> & Static<H>> {
  const { row, hidden = Type.Object({}), reach } = options
  const model = modelOf(options, row)
  const whole = modelOf(
    options,
    withMembers(row, { properties: { ...row.properties, ...hidden.properties } }),
  )
  const within: RowsReached = (context) => reach?.(context, model) ?? null
  const read = rowReader(options, whole, within)
  const find = async (context: Context, id: string) =>
    JSON.parse((await read(context, id)) ?? 'null') as (Static<S> & Static<H>) | null // rendered by its model
  const show = async (context: Context, id: string) => (await find(context, id)) ?? missing(options)
  return {
    model,
    list: listRoute(options, model, within),
    get: rowRoute(options, model, show),
    graphql: { queries: queriesOf(options, model, within) },
    find,
    show,
  }
}

function missing({ label }: Pick<ReadableOptions, 'label'>): never {
  throw new ServiceError('notFound', `There is no such ${label}.`)
}

function modelOf(options: ReadableOptions, row: TObject): ReadModel {
  const { table, key, members = {}, filters, sorts = [], indexes = [] } = options
  const json = Object.entries(members).flatMap(([name, { jsonBytes }]) =>
    jsonBytes === undefined ? [] : [[name, jsonBytes] as const],
  )
  const model = readModel(row, {
    table: table as keyof TenantTables, // of the catalogue or of tenants
    ...(key !== undefined && { key: { [key.column]: 'text' } }),
    indexes: indexes.map((each) => [each]),
    json: Object.fromEntries(json),
  })
  const fields = [...model.fields].map(
    ([name, field]) => [name, { ...sourced(field, members[name]), ...formOf(row.properties[name]) }] as const,
  )
  requireSense({ names: [...filters, ...Object.keys(members)], sorts }, new Map(fields))
  return {
    ...model,
    name: options.type ?? model.name,
    fields: new Map(fields),
    named: { filters: new Set(filters), sorts: new Set(key === undefined ? ['createdAt', ...sorts] : sorts) },
    ...(key === undefined && { isKeyedByTime: true }),
    ...(options.isInCatalogue === true && { isInCatalogue: true }),
    ...(options.isOfInstallation === true && { isInCatalogue: true, isOfInstallation: true }),
    ...(options.isNewestFirst === true && { isNewestFirst: true }),
  }
}

function requireSense(
  { names, sorts }: { names: readonly string[]; sorts: readonly string[] },
  fields: ReadonlyMap<string, ReadField>,
): void {
  const unknown = [...names, ...sorts].find((name) => !fields.has(name))
  if (unknown !== undefined) throw new Error(`${unknown} is no member of the rows.`)
  const long = sorts.find((name) => (fields.get(name)?.maxBytes ?? 0) > maxSortedBytes)
  if (long !== undefined) throw new Error(`${long} is too long to sort by: give its schema a maxLength.`)
}

const nameOfEnumeration = /^[_a-zA-Z]\w*$/

/** Words that GraphQL cannot name are texts. */
function sourced(field: ReadField, { column, derived, completed }: MemberSource = {}): ReadField {
  const isText = field.values.some((word) => !nameOfEnumeration.test(word))
  return {
    ...field,
    ...(isText && { kind: 'text', values: [] }),
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

function listRoute(options: ReadableOptions, model: ReadModel, reach: RowsReached): Route {
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

function reading({ tag, access, inPortal }: ReadableOptions, { isInCatalogue }: ReadModel) {
  const database = isInCatalogue === true ? 'catalogue' : 'tenant'
  return { tag, access, method: 'GET', database, ...(inPortal === true && { inPortal }) } as const
}

function rowRoute(
  options: ReadableOptions,
  model: ReadModel,
  show: (context: Context, id: string) => Promise<unknown>,
): Route {
  const { row, hidden, key } = options
  const parameter = key?.parameter ?? 'id'
  const members = { ...row.properties, ...hidden?.properties }
  const headers = [
    ...('version' in members ? (['etag'] as const) : []),
    ...('updatedAt' in members ? (['last-modified'] as const) : []),
  ]
  return route({
    ...reading(options, model),
    path: `${options.path}/:${parameter}`,
    ...options.documents.get,
    status: 200,
    reply: options.row,
    errors: ['notFound'],
    headers,
    handle: async (context, { path }) => {
      const shown = await show(context, path[parameter] ?? '')
      return new Reply(shown, validatorsOf(shown as Versioned)) // by its schema
    },
  })
}

/** @returns the row as JSON text; `null` for none that the caller reaches */
type ReadRow = (context: Context, id: string) => Promise<string | null>

function rowReader({ key }: ReadableOptions, model: ReadModel, reach: RowsReached): ReadRow {
  const selection = wholeRow(model)
  return async (context, id) => {
    const filter = narrowed(hasKey(model, id.toLowerCase()), reach(context))
    const json =
      key !== undefined || isUuid(id)
        ? await readOne(rowsIn(context, model), { entity: model, selection, filter })
        : null
    if (json === null || !hasMarks(json)) return json
    const [whole = json] = await withCompleted(context, [json])
    return whole
  }
}

function queriesOf(
  { name, plural, label, key, access }: ReadableOptions,
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
    ...(key === undefined && {
      [name]: { ...common, kind: 'one', description: `The ${label} with this id, or null.` },
    }),
  }
}
