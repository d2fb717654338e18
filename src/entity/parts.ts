/** What the routes and the GraphQL fields of an entity are made from. */
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
  search: readonly Member[]
  access: GrantedAccess
  /** Whether GraphQL has the whole list beside its pages. */
  plainList: boolean
  /** See `Behaviour`. */
  mayLeave: boolean
  /** Whether it has rules of rows. */
  isRuled: boolean
  /** Whether not every row that a caller reads is one that he may change. */
  isRuledByOperation: boolean
  /** Whether callers can follow its lists. */
  isLive: boolean
  /** `null` for an entity that keeps no versions. */
  history: RowHistory | null
  offered: ReadonlySet<Operation>
  notes: Readonly<Partial<Record<Operation, string>>>
  actions: DescribedActions
  hints: CheckedHints
}
