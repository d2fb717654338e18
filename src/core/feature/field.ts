/** GraphQL fields of a feature. The schema, its filters and its orders are derived from them. */
import type { Static, TSchema } from 'typebox'
import type { Filter, MatchingRows } from '../../database/read/filter.ts'
import type { ReadModel } from '../../database/read/read-model.ts'
import type { Context } from '../context.ts'
import type { ImpersonationRule } from '../impersonation.ts'
import type { Permission } from '../permission.ts'

/** `public`: no token is required. `user`: any token. */
export type FieldAccess = 'public' | 'user' | Permission

interface Common {
  description: string
  /** `user` if absent. */
  access?: FieldAccess
}

/**
 * `list`: all matching rows. `one`: the row of an id, or null. `connection`: matching rows by page. `aggregate`:
 * numbers of matching rows, by group.
 */
export interface EntityQueryField extends Common {
  kind: 'list' | 'one' | 'connection' | 'aggregate'
  entity: ReadModel
  /** Restricts the rows for the caller, for a table without access rules. */
  reach?: RowsReached
}

/**
 * @returns a filter for the rows of a table without access rules that the caller may read; `null`: all rows of the
 *   tenant. It may add a condition that follows from the request's filter, in the form in which a partial index has
 *   it.
 */
export type RowsReached = (context: Context, asked: MatchingRows) => Filter | null | Promise<Filter | null>

/** One object that a verb returns. */
export interface ObjectField extends Common {
  kind: 'object'
  /** An object schema with an `$id`, the name of the type. */
  type: TSchema
  /** @returns what the schema describes */
  read(context: Context): Promise<object>
}

export type QueryField = EntityQueryField | ObjectField

interface CommonMutation extends Common {
  /** Whether an administrator of the host may call it while acting as a user; `refused` if absent. See `Route`. */
  impersonation?: ImpersonationRule
  /** Arguments by name: an id, or an object schema with an `$id`, which names the input type. */
  args: Readonly<Record<string, TSchema>>
}

export interface RowMutation extends CommonMutation {
  kind: 'row'
  entity: ReadModel
  /** The result is the row after the verb, or `before` it for a row that is deleted. */
  returns: 'after' | 'before'
  /** Whether the caller may have no access to the row afterwards. The result is then null. */
  isNullable?: boolean
  /** Calls a verb inside the transaction of the field. @returns the id of the result's row */
  run(inside: Context, args: never): Promise<string>
}

/** The result is one object that the verb returns. */
export interface ObjectMutation extends CommonMutation {
  kind: 'object'
  /** An object schema with an `$id`, the name of the type. */
  type: TSchema
  /** Calls a verb inside the transaction of the field. @returns what the schema describes */
  run(inside: Context, args: never): Promise<object>
}

export type MutationField = RowMutation | ObjectMutation

/** Sends a row when its event is published. */
export interface SubscriptionField extends Common {
  /** A type of the event catalogue. */
  event: string
  entity: ReadModel
  /**
   * Whether a subscriber gets only rows that it may read and that match its `where`, which the stored state of the
   * events decides. Otherwise every subscriber gets the row of every event.
   */
  isDecided?: boolean
  /** Whether the row no longer exists, so that subscribers get only its id. */
  isDeletion?: boolean
  /** @returns the id of the event's row */
  idOf(payload: never): string
}

export interface GraphQLPart {
  queries?: Readonly<Record<string, QueryField>>
  mutations?: Readonly<Record<string, MutationField>>
  subscriptions?: Readonly<Record<string, SubscriptionField>>
}

type Arguments = Readonly<Record<string, TSchema>>
type ValuesOf<A extends Arguments> = { [K in keyof A]: Static<A[K]> }

interface TypedMutation<A extends Arguments> extends Omit<RowMutation, 'kind' | 'run' | 'returns'> {
  args: A
  returns?: RowMutation['returns']
  run(inside: Context, args: ValuesOf<A>): Promise<string>
}

/** Types the arguments of `run` by their schemas. */
export function mutation<A extends Arguments>(spec: TypedMutation<A>): MutationField {
  return { kind: 'row', returns: 'after', ...spec } as MutationField // `run` gets validated arguments only
}

interface TypedObjectMutation<A extends Arguments> extends Omit<ObjectMutation, 'kind' | 'run'> {
  args: A
  run(inside: Context, args: ValuesOf<A>): Promise<object>
}

/** Declares a field like `mutation`, for a result that is not a row. */
export function objectMutation<A extends Arguments>(spec: TypedObjectMutation<A>): MutationField {
  return { kind: 'object', ...spec } as MutationField // `run` gets validated arguments only
}
