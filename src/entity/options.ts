/** The options of `entity(…)`. */
import type { Static, TSchema } from 'typebox'
import type { Context } from '../core/context.ts'
import type { Feature } from '../core/feature/feature.ts'
import type { GraphQLPart } from '../core/feature/field.ts'
import type { Route } from '../core/feature/route.ts'
import type { ImpersonationRule } from '../core/impersonation.ts'
import type { Permission } from '../core/permission.ts'
import type { AccessOptions, EntityAccess } from './access.ts'
import type { ConsoleOptions, LabelsOfLanguages } from './console/options.ts'
import type { ChosenMembers } from './event-payload.ts'
import type { ComputedOf, Fields, InputOf, RowOf } from './field.ts'
import type { AccessOfFields } from './field-rules.ts'
import type { HistoryOptions, TrashOptions } from './history/option.ts'
import type { Operation } from './operation.ts'
import type { RowRule, RuleOfRows, RulesOfRows } from './row-rules.ts'

/** The change that a hook or an action belongs to. */
export interface RowChange<Row, Input> {
  /** The context of the transaction: what is done with it is committed with the change, or not at all. */
  context: Context
  /** What the caller has given. */
  input: Input
  /** The row before the change; `null` for a new row. */
  before: Row | null
}

type Awaitable<T> = T | Promise<T>
/** Members to set in the row before it is written; a function may return nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function without a return statement is one of these
type Outcome<Row> = Awaitable<Partial<Row> | undefined | void>

/** Hooks run inside the transaction of the change, and may throw to prevent it. */
export interface EntityHooks<Row, Input> {
  /** @returns members to set before the row is written */
  beforeCreate?(row: Row, change: RowChange<Row, Input>): Outcome<Row>
  afterCreate?(row: Row, change: RowChange<Row, Input>): Awaitable<void>
  /** @returns members to set before the row is written */
  beforeChange?(row: Row, change: RowChange<Row, Partial<Input>>): Outcome<Row>
  afterChange?(row: Row, change: RowChange<Row, Partial<Input>>): Awaitable<void>
  beforeDelete?(row: Row, change: RowChange<Row, object>): Awaitable<void>
  afterDelete?(row: Row, change: RowChange<Row, object>): Awaitable<void>
  /**
   * Called when a deleted row is restored, in place of the hooks of a new row. @returns members to set before the
   * write
   */
  beforeRestore?(row: Row, change: RowChange<Row, object>): Outcome<Row>
  afterRestore?(row: Row, change: RowChange<Row, object>): Awaitable<void>
}

/** The schema of the input of each action and the word of its event, in a union: the compiler infers one type of each. */
export type DeclaredActions = Record<string, unknown>

type InputOfAction<D> = [Exclude<D, string>] extends [never] ? unknown : Static<Exclude<D, string> & TSchema>

/** @typeParam D see `DeclaredActions` */
export interface ActionOptions<Row, D> {
  /** Values, or lists of values, that the row must have. */
  from?: { [M in keyof Row]?: Row[M] | readonly Row[M][] }
  /** Values that the row gets. */
  to?: Partial<Row>
  /** The schema of the body; an object. */
  input?: D & TSchema & object
  /** Runs inside the transaction. @returns members to set before the row is written */
  run?(row: Row, change: RowChange<Row, InputOfAction<D>>): Outcome<Row>
  /** Who may use the action; by default, whoever has the entity's `write`. */
  access?: EntityAccess
  /** Whether an administrator of the host may use the action while acting as a user, which is the default. */
  impersonation?: ImpersonationRule
  /** The last word of the name of its event: that of the action in the past by default, `sent` or `voided`. */
  event?: D & string
  summary?: string
  description?: string
}

interface Computations<F extends Fields> {
  /** Makes the computed members from the row, before each write. */
  compute: { [N in ComputedOf<F>]: (row: RowOf<F>) => F[N]['types']['value'] }
}

type FieldName<F> = keyof F & string

/**
 * @typeParam A what the compiler remembers of the actions
 * @typeParam P the chosen members of payloads
 * @typeParam T whether deleted rows are kept
 */
export type EntityOptions<
  F extends Fields,
  A extends DeclaredActions = Record<never, never>,
  P extends ChosenMembers<F> = ChosenMembers<F>,
  T extends TrashOptions | undefined = TrashOptions | undefined,
> = {
  fields: F
  /** `invoices`, if the plural is not regular. */
  plural?: string
  /** One sentence for the documents. */
  description?: string
  /** Unique constraints: lists of fields whose values, together, no two rows of a tenant share. */
  unique?: readonly (readonly FieldName<F>[])[]
  /** Members with an index, for lists that are sorted by them; `createdAt` by default. */
  sort?: readonly (FieldName<F> | 'createdAt' | 'updatedAt')[]
  /** Text fields in which the search looks. */
  search?: readonly FieldName<F>[]
  /** `user` by default. */
  access?: AccessOptions & {
    /** Row rules: which rows a caller with the permission may read and change; all rows by default. */
    rows?: RuleOfRows<F> | RowRule | RulesOfRows<F, keyof A & string>
    /** Who reads and writes which fields; everybody who reads and writes the rows by default. */
    fields?: AccessOfFields<F>
    /** The permission whose holders reach every row: `<name>:all` by default. */
    all?: Permission
  }
  actions?: { [N in keyof A]: ActionOptions<RowOf<F>, A[N]> }
  hooks?: EntityHooks<RowOf<F>, InputOf<F>>
  /** The members in the payloads of events, by the last word of the event's name; all short ones by default. */
  payload?: P
  /** Whether changes are recorded in the audit; they are by default. */
  audit?: boolean
  /** Whether callers can follow lists of rows (`POST /api/live`). Events then store the row, some 5 % of a create. */
  live?: boolean
  /** Whether GraphQL has the whole list as `<plural>`, and its pages as `<plural>Connection`. */
  plainList?: boolean
  /** Operations that get no routes and no GraphQL fields. */
  without?: readonly Operation[]
  /** Sentences for the documents of operations. */
  notes?: Partial<Record<Operation, string>>
  /** How the console shows the rows. */
  console?: ConsoleOptions<NoInfer<F>, NoInfer<A>>
  /** Names by the tag of their language: `{ de: { one: 'Rechnung', many: 'Rechnungen' } }`. */
  labels?: LabelsOfLanguages<NoInfer<F>, NoInfer<A>>
  /** Further routes, and routes that replace those of the same method and path. */
  routes?: readonly Route[]
  /** Further fields, and fields that replace those of the same name. */
  graphql?: GraphQLPart
} & Pick<Feature, 'jobs' | 'schedules'> &
  HistoryOptions<T> &
  ([ComputedOf<F>] extends [never] ? { compute?: never } : Computations<F>)
