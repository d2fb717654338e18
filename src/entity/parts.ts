/** What the routes and the GraphQL fields of an entity are made from. */
import type { TSchema } from 'typebox'
import type { Access } from '../core/feature/route.ts'
import type { ReadModel } from '../database/read/read-model.ts'
import type { EntityAction } from './behaviour.ts'
import type { Member, Names, Shape } from './definition.ts'
import type { RowStatements } from './sql.ts'
import type { EntityRows } from './write.ts'

export const operations = ['list', 'get', 'create', 'replace', 'change', 'delete'] as const

/** What callers can do with the rows of an entity. */
export type Operation = (typeof operations)[number]

export type EntityAccess = Exclude<Access, 'anonymous'>

/** An action as callers see it. */
export interface DescribedAction {
  input?: TSchema
  access?: EntityAccess
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
  access: Record<Operation | 'read' | 'write', EntityAccess>
  /** Whether GraphQL has the whole list beside its pages. */
  plainList: boolean
  offered: ReadonlySet<Operation>
  notes: Readonly<Partial<Record<Operation, string>>>
  actions: DescribedActions
}
