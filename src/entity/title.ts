/** Reads the title of a row: the value by which people recognise the row. */
import type { Context } from '../core/context.ts'
import { mayRead } from '../core/feature/field-rule.ts'
import { noPermission } from '../core/permission.ts'
import type { Member } from './definition.ts'
import { titleOf } from './describe.ts'
import type { StoredRow } from './row.ts'

export interface TitleReader {
  /** The member that is the title. */
  name: string
  /** The title of a row; its id if it has none, or one that the caller does not read. */
  of(context: Context, row: StoredRow): string
}

/** @param named the member that the definition names; `null` for the one that its name suggests */
export function titleReader(members: readonly Member[], named: string | null): TitleReader {
  const name = named ?? titleOf(members)
  const member = members.find((each) => each.name === name)
  return {
    name,
    of: ({ actor, authority }, row) => {
      if (member === undefined) return row.id
      const isRead = authority === 'tenant' || mayRead(member.rule, actor?.permissions ?? noPermission)
      const value = isRead ? row[name] : null
      return value === null || value === undefined || value === '' ? row.id : String(value)
    },
  }
}
