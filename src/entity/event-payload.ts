/** The types of an entity's events, which follow from its definition as their schemas do. */
import type { TUnsafe } from 'typebox'
import type { EventCatalogue, PayloadsOf } from '../core/events/event-type.ts'
import type { Fields, MemberOf, RowOf } from './field.ts'
import type { Revealed } from './field-rules.ts'
import type { TrashOptions } from './history/option.ts'

/**
 * The payloads of an entity's events, by their names:
 * `interface EventPayloads extends EventsOf<typeof invoice> {}` makes `publish` check them.
 */
export type EventsOf<E extends { readonly events: EventCatalogue }> = PayloadsOf<E['events']>

/** The members of payloads that the definition chooses, by the last word of the event. */
export type ChosenMembers<F extends Fields> = Readonly<
  Record<string, readonly (MemberName<F> | Revealed<MemberName<F>>)[]>
>

type MemberName<F extends Fields> = keyof RowOf<F> & string

/** @typeParam A the actions by their names @typeParam T whether deleted rows are kept */
export type EntityEvents<
  N extends string,
  F extends Fields,
  A,
  P extends ChosenMembers<F>,
  T extends TrashOptions | undefined = undefined,
> = {
  [W in 'created' | 'updated' | 'deleted' | RestoredWord<T> | WordsOf<A> as `${N}.${W}`]: {
    summary: string
    payload: TUnsafe<PayloadOf<N, F, W, P>>
  }
}

type RestoredWord<T> = [T] extends [undefined] ? never : 'restored'

/** The last words of the events of actions: the word that an action states, or else the past of its name. */
type WordsOf<A> = { [K in keyof A & string]: WordOf<K, Extract<A[K], string>> }[keyof A & string]

type WordOf<K extends string, W extends string> = [W] extends [never] ? PastOf<K> : W

/** The past of a verb. Must equal what `pastOf` returns. */
type PastOf<V extends string> = V extends `${string}e`
  ? `${V}d`
  : V extends `${infer Stem}y`
    ? Stem extends '' | `${string}${'a' | 'e' | 'i' | 'o' | 'u'}`
      ? `${V}ed`
      : `${Stem}ied`
    : `${V}ed`

type Flat<T> = { [K in keyof T]: T[K] }
type PayloadOf<N extends string, F extends Fields, W extends string, P> = Flat<
  Record<`${N}Id`, string> &
    (W extends keyof P ? Chosen<F, P[W]> : W extends 'deleted' ? unknown : ShortMembers<F>)
>

type Chosen<F extends Fields, M> = M extends readonly (infer K)[]
  ? Pick<RowOf<F>, (K extends Revealed<infer R> ? R : K) & keyof RowOf<F>>
  : never

/** The members that `defaultPayload` chooses. A text whose maximum the compiler does not know may be among them. */
type ShortMembers<F extends Fields> = {
  [K in keyof F & string as F[K]['types']['kind'] extends LongKind
    ? never
    : 'longText' extends F[K]['types']['kind']
      ? never
      : MemberOf<K, F[K]>]: F[K]['types']['value']
} & {
  [K in keyof F & string as F[K]['types']['kind'] extends LongKind
    ? never
    : 'longText' extends F[K]['types']['kind']
      ? MemberOf<K, F[K]>
      : never]?: F[K]['types']['value']
}

type LongKind = 'many' | 'json' | 'longText'
