/** The members of a row that a read returns. Nothing else is read. */
import type { ReadField, Relation } from './read-model.ts'

export type Selected =
  | { kind: 'field'; as: string; field: ReadField }
  | { kind: 'relation'; as: string; relation: Relation; selection: Selection }
  /** The same text in every row. */
  | { kind: 'constant'; as: string; text: string }

/** In the order of the members. */
export type Selection = readonly Selected[]

/** An estimate of the related rows of a row. */
const typicalRelatedRows = 5
/** Few texts are as long as they may be, and few characters take more than a byte. */
const typicalTextShare = 1 / 48

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
  }
}

function exactly(bytes: number): Size {
  return { maxBytes: bytes, typicalBytes: bytes }
}

/** The largest read that is held in memory as a whole. */
export const maxDirectBytes = 2 * 1024 * 1024
/** The largest row with its related rows: it comes in one piece. */
export const maxRowBytes = 4 * 1024 * 1024

export function byteLength(json: string | null): number {
  return json === null ? 0 : Buffer.byteLength(json)
}
