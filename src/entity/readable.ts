/**
 * Makes a list, a route of single rows and GraphQL fields for a table that other code writes, from one description.
 * Callers read its rows like those of an entity: with filters, orders, pages, counts and chosen members.
 */

import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { Context } from '../core/context.ts'
import { defined } from '../core/defined.ts'
import { refusal } from '../core/errors.ts'
import type { CountBounds } from '../core/feature/browsed.ts'
import type { GraphQLPart, QueryField } from '../core/feature/field.ts'
import type { Route } from '../core/feature/route.ts'
import { rowsIn } from '../core/rows.ts'
import { withMembers } from '../core/schema/schema.ts'
import { countUpTo } from '../database/read/capped.ts'
import { narrowed } from '../database/read/conditions.ts'
import type { Filter } from '../database/read/filter.ts'
import { type ReadField, type ReadModel, readModel } from '../database/read/read-model.ts'
import type { TenantTables } from '../database/tenant-tables.ts'
import { maxSortedBytes } from './list.ts'
import type { ListUnder, MemberSource, ReadableOptions } from './readable-options.ts'
import { listRoute, rowReader, rowRoute } from './readable-route.ts'

/** @typeParam R a row */
export interface Readable<R> {
  readonly model: ReadModel
  /** `GET` of the list, and of one row. */
  readonly list: Route
  readonly get: Route
  /** `GET` of the rows that belong to another object. */
  listUnder(under: ListUnder): Route
  readonly graphql: GraphQLPart
  /** The number of matching rows that the caller may read, up to a limit. @throws StatementTimedOut, DatabaseBusy */
  countUpTo(context: Context, filter: Filter, bounds: CountBounds): Promise<number>
  /** @returns `null` if there is no such row, or none that the caller may read */
  find(context: Context, id: string): Promise<R | null>
  /**
   * For verbs that answer with the row.
   * @param reached the condition for rows that the caller may read, if it is known already
   * @throws ServiceError `notFound`, also for a row that the caller may not read
   */
  show(context: Context, id: string, reached?: Filter | null): Promise<R>
}

/** @throws Error for a member that is neither a column nor described */
export function readable<const S extends TObject, const H extends TObject = TObject<Record<never, never>>>(
  options: ReadableOptions<S, H>,
): Readable<Static<S> & Static<H>> {
  const { row, hidden = Type.Object({}), label, path, documents } = options
  const model = modelOf(options, row)
  const properties = { ...row.properties, ...hidden.properties }
  const read = rowReader(options, modelOf(options, withMembers(row, { properties })))
  const find = async (context: Context, id: string, reached?: Filter | null) =>
    JSON.parse((await read(context, id, reached)) ?? 'null') as (Static<S> & Static<H>) | null // rendered by its model
  const show = async (context: Context, id: string, reached?: Filter | null) => {
    const found = await find(context, id, reached)
    if (found === null) throw refusal('noSuch', { label })
    return found
  }
  return {
    model,
    list: listRoute(options, model, { path, ...documents.list }),
    get get() {
      return rowRoute(options, model, show)
    },
    listUnder: (under) => listRoute(options, model, under),
    graphql: { queries: queriesOf(options, model) },
    countUpTo: async (context, filter, bounds) => {
      const reached = (await options.reach?.(context, { entity: model, filter })) ?? null
      return countUpTo(rowsIn(context, model), model, { ...bounds, filter: narrowed(filter, reached) })
    },
    find,
    show,
  }
}

function modelOf(options: ReadableOptions, row: TObject): ReadModel {
  const { table, key, members = {}, filters, sorts = [], indexes = [], time = 'createdAt' } = options
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
    named: { filters: new Set(filters), sorts: new Set(key === undefined ? [time, ...sorts] : sorts) },
    ...(key === undefined && { isKeyedByTime: true, time }),
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

/** An enumeration with a word that GraphQL cannot name becomes a text. */
function sourced(field: ReadField, { column, derived, completed }: MemberSource = {}): ReadField {
  const isText = field.values.some((word) => !nameOfEnumeration.test(word))
  return {
    ...field,
    ...(isText && { kind: 'text', values: [] }),
    ...defined({ column, derived, completed }),
  }
}

/** @returns whether a member is a list of texts, or may be null as JSON, as in GraphQL objects of the same schema */
function formOf(member: TSchema = {}): Partial<ReadField> {
  const { items, 'x-json': isJson } = member as { items?: { type?: string }; 'x-json'?: boolean } // keywords of a schema
  return {
    ...(items?.type === 'string' && { isTextList: true }),
    ...(isJson === true && { isNullable: true }),
  }
}

function queriesOf(
  { name, plural, label, key, access, reach }: ReadableOptions,
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
    ...(key === undefined && {
      [name]: { ...common, kind: 'one', description: `The ${label} with this id, or null.` },
    }),
  }
}
