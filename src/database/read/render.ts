/** Rows as JSON text that the database renders, with what is selected and nothing else. */
import { type RawBuilder, sql } from 'kysely'
import { type JsonMember, jsonText } from '../json-object.ts'
import type { Relation } from './entity.ts'
import { keyValue, orderBy, totalOrder } from './order.ts'
import type { Scene } from './scene.ts'
import type { Selected, Selection } from './selection.ts'

export function renderRow(selection: Selection, alias: string, scene: Scene): RawBuilder<string> {
  return jsonText(
    scene.dialect,
    selection.map((selected) => memberOf(selected, alias, scene)),
  )
}

/** The columns that rendering a row reads. */
export function columnsOf(selection: Selection): string[] {
  return selection.flatMap((selected) => {
    if (selected.kind === 'constant') return []
    return selected.kind === 'field' ? selected.field.column : Object.values(selected.relation.on)
  })
}

/** Selections are made once and kept, and so are their shapes. */
export function selectionShape(selection: Selection): string {
  let shape = shapes.get(selection)
  if (shape === undefined) {
    shape = selection.map(shapeOf).join()
    shapes.set(selection, shape)
  }
  return shape
}

const shapes = new WeakMap<Selection, string>()

function memberOf(selected: Selected, alias: string, scene: Scene): JsonMember {
  const { as: name } = selected
  switch (selected.kind) {
    case 'field': {
      const { column, kind, isNullable } = selected.field
      return { name, value: sql.ref(`${alias}.${column}`), kind, isNullable }
    }
    case 'constant':
      return { name, value: sql.lit(JSON.stringify(selected.text)), kind: 'json', isNullable: false }
    case 'relation': {
      const { relation, selection } = selected
      const render = relation.kind === 'one' ? renderOne : renderMany
      return { name, value: render(relation, selection, alias, scene), kind: 'json', isNullable: false }
    }
  }
}

function renderOne(relation: Relation, selection: Selection, from: string, scene: Scene) {
  const { query, alias } = scene.related(relation, from)
  return sql`coalesce(${query.select(renderRow(selection, alias, scene).as('json'))}, 'null')`
}

function renderMany(relation: Relation, selection: Selection, from: string, scene: Scene) {
  const { query, alias } = scene.related(relation, from)
  const keys = totalOrder(relation.entity, [])
  const order = orderBy(keys, (key) => keyValue(key, alias, scene), scene)
  const json = renderRow(selection, alias, scene)
  const list = sql<string>`'[' || coalesce(string_agg(${json}, ',' order by ${order}), '') || ']'`
  return sql`${query.select(list.as('json'))}`
}

function shapeOf(selected: Selected): string {
  switch (selected.kind) {
    case 'field':
      return `${selected.as}:${selected.field.name}`
    case 'constant':
      return `${selected.as}=${selected.text}`
    case 'relation':
      return `${selected.as}:${selected.relation.name}{${selectionShape(selected.selection)}}`
  }
}
