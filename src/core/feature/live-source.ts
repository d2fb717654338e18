/** What a feature declares so that callers can follow lists of its rows: they are told when a row of a list changes. */
import type { Filter } from '../../database/read/filter.ts'
import type { ReadModel } from '../../database/read/read-model.ts'
import type { Selection } from '../../database/read/selection.ts'
import type { RowReach } from '../../database/row-reach.ts'
import type { Context } from '../context.ts'
import type { FieldAccess } from './field.ts'

/** Rows whose changes are followed. */
export interface FollowedRows {
  /** The name of the entity, with which the types of its events begin: `ticket`. */
  readonly name: string
  readonly model: ReadModel
  /** The last words of the types of events that report changes of its rows: `created`. */
  readonly changes: ReadonlySet<string>
  /** @param json a row as the database has rendered it @returns the row as callers get it */
  complete(context: Context, json: string): Promise<string>
}

export interface LiveSource extends FollowedRows {
  /** What a caller needs to list the rows. */
  readonly access: FieldAccess
  /**
   * @param given values of filters by the names of their parameters, as in the address of the list
   * @throws ServiceError `invalid` for one that the list does not have, or a value that it does not take
   */
  readFilter(context: Context, given: Readonly<Record<string, unknown>>): Filter
  /**
   * @param fields the members to send, separated by commas; empty for all members that the caller may read
   * @throws ServiceError `invalid` for a member that rows do not have
   */
  select(fields: string, reach: RowReach | null): Selection
}
