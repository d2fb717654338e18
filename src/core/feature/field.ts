/** GraphQL fields of a feature. The schema, its filters and its orders are derived from them. */
import type { Static, TSchema } from 'typebox'
import type { ReadModel } from '../../database/read/read-model.ts'
import type { Context } from '../context.ts'

/** `public`: no token is required. */
export type FieldAccess = 'public' | 'user' | 'admin'

interface Common {
  description: string
  /** `user` if absent. */
  access?: FieldAccess
}

/**
 * `list`: all matching rows. `one`: the row of an id, or null. `connection`: matching rows by page. `aggregate`: numbers
 * of matching rows, by group.
 */
export interface EntityQueryField extends Common {
  kind: 'list' | 'one' | 'connection' | 'aggregate'
  entity: ReadModel
}

/** One object that a verb returns. */
export interface ObjectField extends Common {
  kind: 'object'
  /** An object schema with an `$id`, the name of the type. */
  type: TSchema
  /** @returns what the schema describes */
  read(context: Context): Promise<object>
}

export type QueryField = EntityQueryField | ObjectField

export interface MutationField extends Common {
  /** By name: an id, or an object schema with an `$id`, the name of the input type. */
  args: Readonly<Record<string, TSchema>>
  entity: ReadModel
  /** The result is the row after the verb, or `before` it for a row that is deleted. */
  answers: 'after' | 'before'
  /** Calls a verb inside the transaction of the field. @returns the id of the result's row */
  run(inside: Context, args: never): Promise<string>
}

/** Sends a row when its event is published. */
export interface SubscriptionField extends Common {
  /** A type of the event catalogue. */
  event: string
  entity: ReadModel
  /** @returns the id of the event's row */
  idOf(payload: never): string
}

export interface GraphQLPart {
  queries?: Readonly<Record<string, QueryField>>
  mutations?: Readonly<Record<string, MutationField>>
  subscriptions?: Readonly<Record<string, SubscriptionField>>
}

interface TypedMutation<A extends Record<string, TSchema>> extends Omit<MutationField, 'run' | 'answers'> {
  args: A
  answers?: MutationField['answers']
  run(inside: Context, args: { [K in keyof A]: Static<A[K]> }): Promise<string>
}

/** Types the arguments of `run` by their schemas. */
export function mutation<A extends Record<string, TSchema>>(spec: TypedMutation<A>): MutationField {
  return { answers: 'after', ...spec } as MutationField // `run` gets validated arguments only
}
