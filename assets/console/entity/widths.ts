/** The widths of the columns of a list in pixels: by the kind of the field, until a user changes them. */
import { type EntityDescription, type FieldDescription, labelOf } from '../describe.ts'

export type Widths = Readonly<Record<string, number>>

export const minWidth = 72
export const maxWidth = 640
export const widthStep = 16
/** The width of the column with the checkboxes. */
export const boxWidth = 48

const titleWidth = 300
const minTitleWidth = 220
const maxTitleWidth = 480
const kindWidths: Readonly<Record<FieldDescription['kind'], number>> = {
  text: 260,
  integer: 96,
  money: 96,
  boolean: 72,
  date: 120,
  timestamp: 152,
  enum: 120,
  reference: 180,
  json: 260,
  sequence: 96,
  many: 96,
}
/** The approximate widths of a letter of a heading, and of the rest of the heading. */
const letterWidth = 7
const headingRest = 42

export function widthOf(entity: EntityDescription, field: FieldDescription, chosen: Widths): number {
  const own = Object.hasOwn(chosen, field.name) ? chosen[field.name] : undefined
  if (own !== undefined) return clampWidth(own)
  if (field.name === entity.title) return titleWidth
  return Math.max(kindWidths[field.kind], labelOf(field).length * letterWidth + headingRest)
}

export function clampWidth(width: number): number {
  return Math.round(Math.min(maxWidth, Math.max(minWidth, width)))
}

interface Fitted {
  columns: readonly FieldDescription[]
  widthOf: (field: FieldDescription) => number
}

/**
 * @returns the columns for which there is room, with their widths; the title column takes the rest of the room
 * @param room the width of the table in pixels; 0 if it is not known
 * @param isChosen whether the user has chosen the columns, so that all are shown
 */
export function fitColumns(
  entity: EntityDescription,
  columns: readonly FieldDescription[],
  { chosen, room, isChosen }: { chosen: Widths; room: number; isChosen: boolean },
): Fitted {
  const own = (field: FieldDescription) => widthOf(entity, field, chosen)
  const isFlexible = ({ name }: FieldDescription) => name === entity.title && !Object.hasOwn(chosen, name)
  if (room === 0 || !columns.some(isFlexible)) {
    const count = isChosen || room === 0 ? columns.length : fittingColumns(columns.map(own), room - boxWidth)
    return { columns: columns.slice(0, count), widthOf: own }
  }
  const minimumWidths = columns.map((field) => (isFlexible(field) ? minTitleWidth : own(field)))
  const count = isChosen ? columns.length : fittingColumns(minimumWidths, room - boxWidth)
  const used = minimumWidths.slice(0, count).reduce((sum, width) => sum + width, boxWidth)
  const titleRoom = Math.max(minTitleWidth, Math.min(maxTitleWidth, minTitleWidth + room - used))
  return {
    columns: columns.slice(0, count),
    widthOf: (field) => (isFlexible(field) ? titleRoom : own(field)),
  }
}

/** @returns the number of columns that fit into `room`, at least 1 */
export function fittingColumns(widths: readonly number[], room: number): number {
  let used = 0
  const excess = widths.findIndex((width) => {
    used += width
    return used > room
  })
  return excess === -1 ? widths.length : Math.max(1, excess)
}

/** @returns the valid widths @param stored by a browser, perhaps by another version of the console */
export function widthsIn(stored: unknown): Widths {
  const entries = Object.entries(typeof stored === 'object' && stored !== null ? stored : {})
  return Object.fromEntries(entries.filter(([, width]) => typeof width === 'number'))
}
