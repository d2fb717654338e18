/** What is wanted of a row, and nothing more is read. */
import type { EntityField, Relation } from './entity.ts'

export type Selected =
  | { kind: 'field'; as: string; field: EntityField }
  | { kind: 'relation'; as: string; relation: Relation; selection: Selection }
  /** The same text in every row. */
  | { kind: 'constant'; as: string; text: string }

/** In the order in which the members are to stand. */
export type Selection = readonly Selected[]
