/** Makes the database render rows as JSON text with the selected members only. */
import { type RawBuilder, sql } from 'kysely'
import { type JsonMember, jsonText } from '../json-object.ts'
import { markOf } from './mark.ts'
import { keyValue, orderBy, totalOrder } from './order.ts'
import type { Relation } from './read-model.ts'
import { pageShape, renderRelationPage } from './relation-page.ts'
import type { Selected, Selection } from './selection.ts'
import type { AnyQuery, SqlBuilder } from './sql-builder.ts'
import { memberValue } from './value.ts'

/** The aliases of related rows that a query has joined. */
export type JoinedRows = ReadonlyMap<Relation, string>

export function renderRow(
  selection: Selection,
  alias: string,
  builder: SqlBuilder,
  joined: JoinedRows = new Map(),
): RawBuilder<string> {
  return jsonText(
    builder.dialect,
    selection.map((selected) => memberOf(selected, alias, builder, joined)),
  )
}

/**
 * Joins the related rows of a selection, which is faster than looking up each one. Rows related to those are looked up,
 * because SQLite joins at most 64 tables. A query with a LIMIT of its own would also join rows beyond the limit.
 */
export function joinRelatedRows<Q extends AnyQuery>(
  query: Q,
  selection: Selection,
  from: string,
  builder: SqlBuilder,
) {
  const joined = new Map<Relation, string>()
  let withRows = query
  for (const selected of selection) {
    if (selected.kind !== 'relation' || selected.relation.kind === 'many') continue
    if (joined.has(selected.relation)) continue
    const row = builder.joinRelated(withRows, selected.relation, from)
    joined.set(selected.relation, row.alias)
    withRows = row.query
  }
  return { query: withRows, joined }
}

/** @returns a text that determines the SQL of a selection. It is kept, because selections are created once and kept. */
export function selectionShape(selection: Selection): string {
  let shape = shapes.get(selection)
  if (shape === undefined) {
    shape = selection.map(shapeOf).join()
    shapes.set(selection, shape)
  }
  return shape
}

const shapes = new WeakMap<Selection, string>()

function memberOf(selected: Selected, alias: string, builder: SqlBuilder, joined: JoinedRows): JsonMember {
  const { as: name } = selected
  switch (selected.kind) {
    case 'field': {
      const { field } = selected
      const { kind, isNullable, completed } = field
      const value = memberValue(field, alias, builder.dialect)
      if (completed === undefined) return { name, value, kind, isNullable }
      return { name, value: markOf(value, completed, builder.dialect), kind: 'text', isNullable: false }
    }
    case 'constant':
      return { name, value: sql.lit(JSON.stringify(selected.text)), kind: 'json', isNullable: false }
    case 'page': {
      const { page } = selected
      const value = renderRelationPage(page, alias, builder, (row) => renderRow(page.rows, row, builder))
      return { name, value, kind: 'json', isNullable: false }
    }
    case 'relation': {
      const { relation, selection } = selected
      const row = joined.get(relation)
      const value =
        row === undefined
          ? renderRelated(relation, selection, alias, builder)
          : renderJoined(relation, selection, row, builder)
      return { name, value, kind: 'json', isNullable: false }
    }
  }
}

function renderRelated(relation: Relation, selection: Selection, from: string, builder: SqlBuilder) {
  const render = relation.kind === 'one' ? renderOne : renderMany
  return render(relation, selection, from, builder)
}

/** Renders a joined row. Its join column is NULL only if there is no such row. */
function renderJoined({ on }: Relation, selection: Selection, row: string, builder: SqlBuilder) {
  const [key = ''] = Object.keys(on)
  const json = renderRow(selection, row, builder)
  return sql`case when ${sql.ref(`${row}.${key}`)} is null then 'null' else ${json} end`
}

function renderOne(relation: Relation, selection: Selection, from: string, builder: SqlBuilder) {
  const { query, alias } = builder.related(relation, from)
  return sql`coalesce(${query.select(renderRow(selection, alias, builder).as('json'))}, 'null')`
}

function renderMany(relation: Relation, selection: Selection, from: string, builder: SqlBuilder) {
  const { query: rows, alias } = builder.related(relation, from)
  const { query, joined } = joinRelatedRows(rows, selection, alias, builder)
  const keys = totalOrder(relation.entity, [])
  const order = orderBy(keys, (key) => keyValue(key, alias, builder), builder)
  const json = renderRow(selection, alias, builder, joined)
  const list = sql<string>`'[' || coalesce(string_agg(${json}, ',' order by ${order}), '') || ']'`
  return sql`${query.select(list.as('json'))}`
}

function shapeOf(selected: Selected): string {
  switch (selected.kind) {
    case 'field':
      return `${selected.as}:${selected.field.name}`
    case 'constant':
      return `${selected.as}=${selected.text}`
    case 'page':
      return `${selected.as}:${pageShape(selected.page)}{${selectionShape(selected.page.rows)}}`
    case 'relation':
      return `${selected.as}:${selected.relation.name}{${selectionShape(selected.selection)}}`
  }
}
