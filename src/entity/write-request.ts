/** The parameters of the functions that change an entity's rows. */
import type { Context } from '../core/context.ts'
import type { Precondition } from '../core/precondition.ts'
import type { StoredRow, Values } from './row.ts'

export interface ChangeRequest {
  input: Values
  /** The last word of the name of the event; `updated` by default. */
  event?: string
  precondition?: Precondition
  /** @returns the members to change, if not those of the input */
  decide?: (before: StoredRow, inside: Context) => Promise<Values> | Values
  /** The name of the action that changes the row. Actions ignore field rules, and may have a row rule of their own. */
  action?: string
  /** The version of the row whose values it gets again. */
  restoredFrom?: number
}

/** Restores a deleted row. */
export interface RestoreRequest {
  /** The version whose values it gets, if not the last one. */
  version?: number
  values?: Values
  precondition?: Precondition
}

export interface ActRequest {
  name: string
  input?: Values
  precondition?: Precondition
}
