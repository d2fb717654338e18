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
  /** Identifies the page within its root field. */
  key: string
  relation: Relation
  members: readonly PlannedMember[]
  arguments: ArgumentReader
  /** The page in the document. The order of the members of the argument `order` is read from it. */
  node: FieldNode
}

/**
 * @returns the same object if the selection has no pages, because caches find a selection by its object; otherwise `null`
 */
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
  return isFixed ? (planned as Selection) : null // without pages, a planned selection is a selection
}

/** Whether a selection has no pages, for those that were asked for before. */
const known = new WeakMap<PlannedSelection, boolean>()
