/** What is wanted of a row, and nothing more is read. */
import type { EntityField, Relation } from './entity.ts'

export type Selected =
  | { kind: 'field'; as: string; field: EntityField }
  | { kind: 'relation'; as: string; relation: Relation; selection: Selection }
  /** The same text in every row. */
  | { kind: 'constant'; as: string; text: string }

/** In the order in which the members are to stand. */
export type Selection = readonly Selected[]

/** Rows that a row brings along, as far as is known before they are read. */
const usualRelatedRows = 5
/** Of a text: hardly one is as long as it may be, and hardly a character takes more than a byte. */
const usualShareOfText = 1 / 48

interface Size {
  maxBytes: number
  usualBytes: number
}

/** Of a row as JSON, at most: what is selected twice counts twice. Infinite where it may bring along any number of rows. */
export function maxBytesOf(selection: Selection): number {
  return sizeOf(selection).maxBytes
}

export function usualBytesOf(selection: Selection): number {
  return sizeOf(selection).usualBytes
}

/** Selections are made once and kept. */
const sizes = new WeakMap<Selection, Size>()

function sizeOf(selection: Selection): Size {
  let size = sizes.get(selection)
  if (size === undefined) {
    size = { maxBytes: 2, usualBytes: 2 }
    for (const selected of selection) {
      const { maxBytes, usualBytes } = sizeOfValue(selected)
      const nameBytes = selected.as.length + 4
      size.maxBytes += nameBytes + maxBytes
      size.usualBytes += nameBytes + usualBytes
    }
    sizes.set(selection, size)
  }
  return size
}

function sizeOfValue(selected: Selected): Size {
  switch (selected.kind) {
    case 'constant':
      return same(selected.text.length + 2)
    case 'field': {
      const { kind, maxBytes } = selected.field
      return kind === 'text'
        ? { maxBytes, usualBytes: Math.ceil(maxBytes * usualShareOfText) }
        : same(maxBytes)
    }
    case 'relation': {
      const { maxBytes, usualBytes } = sizeOf(selected.selection)
      if (selected.relation.kind === 'one') return { maxBytes, usualBytes }
      const { max = Number.POSITIVE_INFINITY } = selected.relation
      return { maxBytes: 2 + max * (maxBytes + 1), usualBytes: usualRelatedRows * usualBytes }
    }
  }
}

function same(bytes: number): Size {
  return { maxBytes: bytes, usualBytes: bytes }
}

/** A read that is held whole brings no more than this. */
export const maxDirectBytes = 2 * 1024 * 1024
/** Nor does a row with all that it brings along: it comes in one piece. */
export const maxRowBytes = 4 * 1024 * 1024

export function byteLength(json: string | null): number {
  return json === null ? 0 : Buffer.byteLength(json)
}
