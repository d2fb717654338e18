/** What the columns of an entity may have, from the fields of its definition. */
import { type TSchema, Type } from 'typebox'
import type { ColumnSchemas } from '../core/feature/stored-table.ts'
import { parseExactJson } from '../core/schema/exact-json.ts'
import { Count, JsonText, StoredId, StoredMoment } from '../core/schema/stored.ts'
import type { Member, Names, Shape } from './definition.ts'
import type { FieldSpec } from './field.ts'

const version = Type.Integer({ minimum: 1 })

export function storedColumnsOf({ table }: Names, { members, children }: Shape): ColumnSchemas {
  const lists = children.map(
    (child) => [child.table, { position: Count, ...memberColumns(child.members) }] as const,
  )
  return { [table]: { version, ...memberColumns(members) }, ...Object.fromEntries(lists) }
}

/** By column, without null. */
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
