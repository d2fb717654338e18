/** What the columns of an entity may have, from the fields of its definition. */
import { type TSchema, Type } from 'typebox'
import type { ColumnSchemas } from '../core/feature/stored-table.ts'
import { Count, JsonText } from '../core/schema/stored.ts'
import type { Member, Names, Shape } from './definition.ts'

const version = Type.Integer({ minimum: 1 })

export function storedColumnsOf({ table }: Names, { members, children }: Shape): ColumnSchemas {
  const lists = children.map(
    (child) => [child.table, { position: Count, ...memberColumns(child.members) }] as const,
  )
  return { [table]: { version, ...memberColumns(members) }, ...Object.fromEntries(lists) }
}

/** By column, without null. */
export function memberColumns(members: readonly Member[]): Record<string, TSchema> {
  return Object.fromEntries(
    members.map(({ column, spec: { kind, schema } }) => [
      column,
      kind === 'json' ? JsonText(schema) : schema,
    ]),
  )
}
