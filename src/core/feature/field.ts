/** Fields that a feature offers to clients. The schema, its filters and its orders are made from them. */
import type { Static, TSchema } from 'typebox'
import type { Entity } from '../../database/read/entity.ts'
import type { Context } from '../context.ts'

/** `public`: nobody has to be signed in. */
export type FieldAccess = 'public' | 'user' | 'admin'

interface Common {
  description: string
  /** `user` when left out. */
  access?: FieldAccess
}

/** `list`: all that match, in an order. `one`: by its id, or null. `connection`: page by page. */
export interface EntityQueryField extends Common {
  kind: 'list' | 'one' | 'connection'
  entity: Entity
}

/** One object that a verb gives. */
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
  entity: Entity
  /** What is answered is the row as it is after the verb, or `before` it: of a row that goes away. */
  answers: 'after' | 'before'
  /** Calls a verb inside the transaction of the field. @returns the id of the row that is answered */
  run(inside: Context, args: never): Promise<string>
}

/** Pushes a row when an event tells of it. */
export interface SubscriptionField extends Common {
  /** A type of the event catalogue. */
  event: string
  entity: Entity
  /** @returns the id of the row that the event is about */
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
  return { answers: 'after', ...spec } as MutationField // `run` is called only with what the schemas have accepted
}
