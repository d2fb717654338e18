/** The schemas of the values that the columns of an entity may store, made from the fields of its definition. */
import { type TSchema, Type } from 'typebox'
import type { ColumnSchemas } from '../core/feature/stored-table.ts'
import { parseExactJson } from '../core/schema/exact-json.ts'
import { Count, JsonText, StoredId, StoredMoment } from '../core/schema/stored.ts'
import type { Member, Names, Shape } from './definition.ts'
import type { FieldSpec } from './field.ts'
import { historyColumnsOf } from './history/table.ts'

const version = Type.Integer({ minimum: 1 })

/** @param isKept whether superseded versions of rows are kept */
export function storedColumnsOf(names: Names, shape: Shape, isKept: boolean): ColumnSchemas {
  const { members, children } = shape
  const lists = children.map(
    (child) => [child.table, { position: Count, ...memberColumns(child.members) }] as const,
  )
  return {
    [names.table]: { version, ...memberColumns(members) },
    ...Object.fromEntries(lists),
    ...(isKept && historyColumnsOf(names, shape)),
  }
}

/** @returns the schemas of values by column; they do not cover null */
export function memberColumns(members: readonly Member[]): Record<string, TSchema> {
  return Object.fromEntries(members.map(({ column, spec }) => [column, storedSchema(spec)]))
}

function storedSchema({ kind, schema }: FieldSpec): TSchema {
  switch (kind) {
    case 'json':
      return JsonText(schema, parseExactJson)
    case 'timestamp':
      return StoredMoment
    case 'reference':
      return StoredId
    default:
      return schema
  }
}
