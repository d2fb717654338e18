/** What an operation selects, before the arguments of pages of related rows are known. */
import type { FieldNode } from 'graphql'
import type { Relation } from '../../../database/read/read-model.ts'
import type { ConnectionMember, Selected, Selection } from '../../../database/read/selection.ts'
import type { ArgumentReader } from '../argument/arguments.ts'

export type PlannedSelection = readonly PlannedSelected[]

export type PlannedSelected =
  | Exclude<Selected, { kind: 'relation' | 'page' }>
  | { kind: 'relation'; as: string; relation: Relation; selection: PlannedSelection }
  | ({ kind: 'page' } & PlannedPage)

export type PlannedMember = ConnectionMember<PlannedSelection>

export interface PlannedPage {
  as: string
  /** Differs from those of other pages of the root field. */
  key: string
  relation: Relation
  members: readonly PlannedMember[]
  arguments: ArgumentReader
  /** For the order of its arguments. */
  node: FieldNode
}

/** @returns the selection itself, if it has no pages: selections are kept, with what is known of them; else `null` */
export function fixedSelection(planned: PlannedSelection): Selection | null {
  let isFixed = known.get(planned)
  if (isFixed === undefined) {
    isFixed = planned.every(
      (selected) =>
        selected.kind !== 'page' &&
        (selected.kind !== 'relation' || fixedSelection(selected.selection) !== null),
    )
    known.set(planned, isFixed)
  }
  return isFixed ? (planned as Selection) : null // without planned pages it is one
}

const known = new WeakMap<PlannedSelection, boolean>()
