/** The statements of an entity's rows. */
import { type Kysely, sql } from 'kysely'
import { defer, deferBuilt, type TenantData } from '../database/data.ts'
import type { Dialect } from '../database/executor.ts'
import { type JsonMember, jsonText } from '../database/json-object.ts'
import { type JsonPage, pageColumns, pageColumnsWithNext, pageOfText } from '../database/json-page.ts'
import { lockedIn } from '../database/locked-rows.ts'
import { prepare } from '../database/prepared.ts'
import type { ReadField, ReadModel } from '../database/read/read-model.ts'
import { readableModel } from '../database/read/readable.ts'
import type { TenantTables } from '../database/tenant-tables.ts'
import type { Child, Member, Names, Shape } from './definition.ts'

/** A row by its columns, without the tenant. */
export type Columns = Record<string, unknown>

/** The row as JSON text, with what conditional requests compare. */
export interface RowJson {
  json: string
  version: number
  updatedAt: string
}

interface PageRange {
  after: string
  limit: number
}

/** Asks for rows whose member has a value. */
interface ByValue {
  value: string
  after: string | null
  limit: number
}

export type RowStatements = ReturnType<typeof rowStatements>

const common = ['created_at', 'updated_at', 'version']

/** @param model with the fields of the row in the order of its members */
export function rowStatements({ table }: Names, { members, children }: Shape, model: ReadModel) {
  // Typed as one table, because the builder has no type for any table.
  const name = table as 'event'
  const columns = ['id', ...members.flatMap(columnsOf), ...common]
  const all = columns as ['id'] // columns of the table, typed as one of them
  const updatable = columns.filter((column) => column !== 'id' && column !== 'created_at')
  const insert = prepare((tables, p: Columns) => tables.insertInto(name).values(valuesOf(columns, p)))
  const update = prepare(
    (tables, p: Columns) =>
      tables
        .updateTable(name)
        .set(valuesOf(updatable, p))
        .where('id', '=', p['id'] as string), // a placeholder
  )
  const remove = prepare((tables, p: { id: string }) => tables.deleteFrom(name).where('id', '=', p.id))
  const lock = prepare((tables, p: { id: string }, dialect) =>
    tables.selectFrom(name).select(all).where('id', '=', p.id).$call(lockedIn(dialect)),
  )
  const byId = prepare((tables, p: { id: string }) =>
    tables.selectFrom(name).select(all).where('id', '=', p.id),
  )
  const shownTo = renderings(table, model)
  const lists = new Map(children.map((child) => [child, childStatements(child)]))
  return {
    /** @param isDeferred whether the statement is sent with the next one, or with the COMMIT */
    insert: (data: TenantData, row: Columns, isDeferred: boolean): Promise<unknown> =>
      isDeferred ? defer(data, insert, row) : data.change(insert, row),
    /** Updates the row. @param isDeferred like that of `insert` */
    update: (data: TenantData, row: Columns, isDeferred: boolean): Promise<unknown> =>
      isDeferred ? defer(data, update, row) : data.change(update, row),
    remove: (data: TenantData, id: string): Promise<number> => data.change(remove, { id }),
    /** Locks the row until the transaction ends. */
    lock: (data: TenantData, id: string): Promise<Columns | null> => data.first(lock, { id }),
    find: (data: TenantData, id: string): Promise<Columns | null> => data.first(byId, { id }),
    findAll: (data: TenantData, ids: readonly string[]): Promise<Columns[]> =>
      data.kysely.selectFrom(name).select(all).where('id', 'in', ids).execute(),
    /** The ids of rows whose member has the value, in the order of the ids. */
    naming: async (
      data: TenantData,
      { column }: Member,
      { value, after, limit }: ByValue,
    ): Promise<string[]> => {
      const named = column as 'id' // of the table, typed as one of them
      const rows = data.kysely.selectFrom(name).select('id').where(named, '=', value)
      const rest = after === null ? rows : rows.where('id', '>', after)
      return (await rest.orderBy('id').limit(limit).execute()).map(({ id }) => id)
    },
    /** Renders a row of a table without lists. */
    rendered: (data: TenantData, id: string): Promise<RowJson | null> =>
      data.first(shownTo(data).rendered, { id }),
    /** Renders a page of rows of a table without lists. */
    page: async (data: TenantData, place: PageRange): Promise<JsonPage | null> => {
      const { page, text, isFlat } = shownTo(data)
      if (!isFlat) return data.first(page, place)
      const found = await data.first(text, { ...place, limit: place.limit + 1 })
      return found && pageOfText(found.json, found.count, place.limit)
    },
    lists,
  }
}

/** The statements that render rows as JSON. Callers whose rules grant the same members share them. */
function renderings(table: string, model: ReadModel) {
  const byView = new Map<ReadModel, ReturnType<typeof renderingOf>>()
  const whole = renderingOf(table, model)
  return ({ reach }: TenantData) => {
    const view = readableModel(model, reach)
    if (view === model) return whole
    let rendering = byView.get(view)
    if (rendering === undefined) {
      rendering = renderingOf(table, view)
      byView.set(view, rendering)
    }
    return rendering
  }
}

function renderingOf(table: string, model: ReadModel) {
  const name = table as 'event' // typed as one table, see `rowStatements`
  const rendered = prepare((tables, p: { id: string }, dialect) =>
    tables
      .selectFrom(name)
      .select(jsonText(dialect, jsonMembers(model)).as('json'))
      .select([sql<number>`version`.as('version'), sql<string>`updated_at`.as('updatedAt')])
      .where('id', '=', p.id),
  )
  const rowsAfter = (tables: Kysely<TenantTables>, after: string, dialect: Dialect) =>
    tables
      .selectFrom(name)
      .select('id')
      .select(jsonText(dialect, jsonMembers(model)).as('json'))
      .where('id', '>', after)
      .orderBy('id')
  const text = prepare((tables, p: PageRange, dialect) => {
    const [json, count] = pageColumns(dialect)
    return tables
      .selectFrom(rowsAfter(tables, p.after, dialect).limit(p.limit).as('page'))
      .select([json, count])
  })
  const page = prepare((tables, p: PageRange, dialect) => {
    const rows = rowsAfter(tables, p.after, dialect)
    if (dialect === 'sqlite')
      return tables.selectFrom(rows.limit(p.limit).as('page')).select(pageColumns(dialect))
    const limit = sql<number>`cast(${p.limit} as integer)`
    const numbered = rows.select(sql<number>`row_number() over (order by id)`.as('place'))
    return tables
      .selectFrom(numbered.limit(sql<number>`${limit} + 1`).as('page'))
      .select(pageColumnsWithNext(sql.ref('place'), limit))
  })
  // In JSON values, `pageOfText` could not tell where a row begins.
  const isFlat = [...model.fields.values()].every(({ kind }) => kind !== 'json')
  return { rendered, page, text, isFlat }
}

function childStatements({ table, parentColumn, members }: Child) {
  const name = table as 'sales_order_item' // typed as one table of a list
  const parent = parentColumn as 'order_id'
  const columns = members.flatMap(columnsOf) as ['name'] // columns of the table, typed as one of them
  const remove = prepare((tables, p: { id: string }) => tables.deleteFrom(name).where(parent, '=', p.id))
  const all = prepare((tables, p: { id: string }) =>
    tables.selectFrom(name).select(columns).where(parent, '=', p.id).orderBy('position'),
  )
  return {
    insert: async (data: TenantData, id: string, rows: readonly Columns[]): Promise<void> => {
      if (rows.length === 0) return
      const values = rows.map((row, position) => ({ [parentColumn]: id, position, ...row }))
      await deferBuilt(data, data.kysely.insertInto(name).values(values as never)) // its own columns
    },
    remove: (data: TenantData, id: string): Promise<number> => data.change(remove, { id }),
    /** @returns the rows of the list in their order */
    all: (data: TenantData, id: string): Promise<Columns[]> => data.all(all, { id }),
  }
}

function columnsOf({ column, caseFoldedColumn }: Member): string[] {
  return caseFoldedColumn === null ? [column] : [column, caseFoldedColumn]
}

function valuesOf(columns: readonly string[], parameters: Columns): never {
  return Object.fromEntries(columns.map((column) => [column, parameters[column]])) as never // as the table has them
}

function jsonMembers({ fields }: ReadModel): JsonMember[] {
  return [...fields.values()].map(({ name, column, kind, isNullable }: ReadField) => ({
    name,
    value: sql.ref(column),
    kind,
    isNullable,
  }))
}

const count = prepare((tables, p: { name: string }) =>
  tables
    .insertInto('sequence')
    .values({ name: p.name, last: 1 })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'name']).doUpdateSet({ last: sql<number>`sequence.last + 1` }),
    )
    .returning('last'),
)

/** The next number of a sequence. Transactions that want one wait until this one ends, so that none is skipped. */
export async function nextNumber(data: TenantData, name: string): Promise<number> {
  const row = await data.first(count, { name })
  if (row === null) throw new Error(`The sequence ${name} was not counted.`)
  return row.last
}
