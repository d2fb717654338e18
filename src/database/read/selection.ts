/** Selections: which members of a row a read returns, under which names, and how large they can be. */
import type { Filter } from './filter.ts'
import type { KeysetPosition, SortKey } from './order.ts'
import type { ReadField, Relation } from './read-model.ts'
import { columnsIn } from './value.ts'

/** A selected member. `as` is its name in the reply, such as an alias of GraphQL. */
export type Selected =
  | { kind: 'field'; as: string; field: ReadField }
  | { kind: 'relation'; as: string; relation: Relation; selection: Selection }
  | { kind: 'page'; as: string; page: RelationPage }
  /** A text that is the same in every row. */
  | { kind: 'constant'; as: string; text: string }

/** The selected members, in their order. */
export type Selection = readonly Selected[]

/** A page of the rows that belong to a row, as a GraphQL connection. */
export interface RelationPage {
  /** The name of the page in the row that the database renders. It is unique in the statement. */
  key: string
  relation: Relation
  filter: Filter
  order: readonly SortKey[]
  size: number
  /** Whether the page has the last rows between the positions instead of the first. */
  backward: boolean
  after: KeysetPosition | null
  before: KeysetPosition | null
  members: readonly ConnectionMember[]
  /** The union of what the members select of a row. */
  rows: Selection
  cursorOf(position: KeysetPosition): string
}

/** A member of a connection. @typeParam S what is selected of a row */
export type ConnectionMember<S = Selection> =
  | { kind: 'nodes'; as: string; selection: S }
  | { kind: 'edges'; as: string; members: readonly EdgeMember<S>[] }
  | { kind: 'pageInfo'; as: string; members: readonly { as: string; name: string }[] }
  | { kind: 'totalCount'; as: string }
  | { kind: 'constant'; as: string; text: string }

export type EdgeMember<S = Selection> =
  | { kind: 'cursor'; as: string }
  | { kind: 'node'; as: string; selection: S }
  | { kind: 'constant'; as: string; text: string }

/** @returns the selections that the members of a connection make of its rows */
export function selectionsIn(members: readonly ConnectionMember[]): Selection[] {
  return members.flatMap((member) => {
    if (member.kind === 'nodes') return [member.selection]
    if (member.kind !== 'edges') return []
    return member.members.flatMap((each) => (each.kind === 'node' ? [each.selection] : []))
  })
}

/** @returns the columns that the database reads to render the selection */
export function columnsOf(selection: Selection): string[] {
  return selection.flatMap((selected) => {
    if (selected.kind === 'constant') return []
    if (selected.kind === 'field') return columnsIn(selected.field)
    const { on } = selected.kind === 'page' ? selected.page.relation : selected.relation
    return Object.values(on)
  })
}

/** An estimate of how many related rows a row has. */
const typicalRelatedRows = 5
/** An estimate of the length of texts: few are as long as they may be, and few characters take more than a byte. */
const typicalTextShare = 1 / 48

/** The bytes of the names and brackets around the rows of a page, and around each row. */
export const pageFrameBytes = 60

interface Size {
  maxBytes: number
  typicalBytes: number
}

/** The maximum size of a row as JSON. Values selected twice count twice; infinite if related rows are unbounded. */
export function maxBytesOf(selection: Selection): number {
  return sizeOf(selection).maxBytes
}

export function typicalBytesOf(selection: Selection): number {
  return sizeOf(selection).typicalBytes
}

/** Selections are created once and kept. */
const sizes = new WeakMap<Selection, Size>()

function sizeOf(selection: Selection): Size {
  let size = sizes.get(selection)
  if (size === undefined) {
    size = { maxBytes: 2, typicalBytes: 2 }
    for (const selected of selection) {
      const { maxBytes, typicalBytes } = sizeOfValue(selected)
      const nameBytes = selected.as.length + 4
      size.maxBytes += nameBytes + maxBytes
      size.typicalBytes += nameBytes + typicalBytes
    }
    sizes.set(selection, size)
  }
  return size
}

function sizeOfValue(selected: Selected): Size {
  switch (selected.kind) {
    case 'constant':
      return exactly(selected.text.length + 2)
    case 'field': {
      const { kind, maxBytes } = selected.field
      return kind === 'text'
        ? { maxBytes, typicalBytes: Math.ceil(maxBytes * typicalTextShare) }
        : exactly(maxBytes)
    }
    case 'relation': {
      const { maxBytes, typicalBytes } = sizeOf(selected.selection)
      if (selected.relation.kind === 'one') return { maxBytes, typicalBytes }
      const { max = Number.POSITIVE_INFINITY } = selected.relation
      return { maxBytes: 2 + max * (maxBytes + 1), typicalBytes: typicalRelatedRows * typicalBytes }
    }
    case 'page': {
      const { rows, size, order } = selected.page
      const keys = order.reduce((sum, { field }) => sum + field.maxBytes, pageFrameBytes)
      const { maxBytes, typicalBytes } = sizeOf(rows)
      return {
        maxBytes: pageFrameBytes + (size + 1) * (maxBytes + keys),
        typicalBytes: pageFrameBytes + size * typicalBytes,
      }
    }
  }
}

function exactly(bytes: number): Size {
  return { maxBytes: bytes, typicalBytes: bytes }
}

/** The largest read that is kept in memory as a whole; larger ones are read in batches. */
export const maxDirectBytes = 2 * 1024 * 1024
/** The largest row, with its related rows. A row is one chunk, however large. */
export const maxRowBytes = 4 * 1024 * 1024

export function byteLength(json: string | null): number {
  return json === null ? 0 : Buffer.byteLength(json)
}
