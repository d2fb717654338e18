import type { Context } from '../core/context.ts'
import type { Member } from './definition.ts'
import type { RowHistory } from './history/row-history.ts'
import type { Values } from './row.ts'

/** The code that an entity adds to changes of its rows. */
export interface Behaviour {
  /** Makes the computed members of a row. */
  compute: ReadonlyMap<string, (row: Values) => unknown>
  hooks: Hooks
  actions: ReadonlyMap<string, EntityAction>
  /** The members of each unique constraint. */
  unique: readonly (readonly Member[])[]
  /** The members in the payload of an event, by the last word of its name. */
  payloadOf(event: string): readonly string[]
  isAudited: boolean
  /** The members whose values each event stores (`EventState`), to decide who receives it; `null` for none. */
  stateMembers: readonly string[] | null
  /** Whether callers can write a row that they may not read afterwards, because the row rules have a `keep`. */
  mayBecomeUnreadable: boolean
  /** Keeps superseded versions and deleted rows; `null` if none are kept. */
  history: RowHistory | null
}

export interface Hooks {
  beforeCreate?: Hook
  afterCreate?: Hook
  beforeChange?: Hook
  afterChange?: Hook
  beforeDelete?: Hook
  afterDelete?: Hook
  beforeRestore?: Hook
  afterRestore?: Hook
}

/** The author of a hook types its parameters. @returns members to change in the row before it is written */
export type Hook = (row: never, change: never) => unknown

/** The change that a hook belongs to. `context` is that of the transaction. */
export interface HookChange {
  context: Context
  /** What the caller has given. */
  input: Values
  /** The row before the change; `null` for a new row. */
  before: Values | null
}

export interface EntityAction {
  /** The row must have these values. */
  from: Values
  /** The row gets these values. */
  to: Values
  /** The last word of the name of its event. */
  event: string
  run: Hook | null
}
