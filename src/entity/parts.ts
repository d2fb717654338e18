/** The parts of an entity from which its routes and GraphQL fields are made. */
import type { TSchema } from 'typebox'
import type { ImpersonationRule } from '../core/impersonation.ts'
import type { ReadModel } from '../database/read/read-model.ts'
import type { EntityAccess, GrantedAccess } from './access.ts'
import type { EntityAction } from './behaviour.ts'
import type { CheckedHints } from './console/hints.ts'
import type { Member, Names, Shape } from './definition.ts'
import type { RowHistory } from './history/row-history.ts'
import type { Operation } from './operation.ts'
import type { RowStatements } from './sql.ts'
import type { EntityRows } from './write.ts'

/** An action as callers see it. */
export interface DescribedAction {
  input?: TSchema
  access?: EntityAccess
  impersonation?: ImpersonationRule
  event?: string
  summary?: string
  description?: string
}

/** The actions without the types of the row, which only their author sees. */
export type DescribedActions = Readonly<
  Record<string, DescribedAction & Partial<Pick<EntityAction, 'from' | 'to' | 'run'>>>
>

export interface EntityParts {
  names: Names
  shape: Shape
  model: ReadModel
  rows: EntityRows
  statements: RowStatements
  /** The members in which searches look. */
  search: readonly Member[]
  access: GrantedAccess
  /** Whether GraphQL has the whole list beside its pages. */
  plainList: boolean
  /** Whether callers can write a row that they may not read afterwards. */
  mayBecomeUnreadable: boolean
  /** Whether the entity has row rules. */
  isRuled: boolean
  /** Whether row rules differ by operation, so that a caller may not change every row that the caller reads. */
  isRuledByOperation: boolean
  /** Whether callers can follow lists of the entity. */
  isLive: boolean
  /** `null` for an entity that keeps no versions. */
  history: RowHistory | null
  /** The operations that have routes and GraphQL fields. */
  offered: ReadonlySet<Operation>
  /** Sentences of the definition with which the descriptions of its routes begin, by operation. */
  notes: Readonly<Partial<Record<Operation, string>>>
  actions: DescribedActions
  hints: CheckedHints
}
