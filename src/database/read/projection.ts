/**
 * Reads a value that is selected several times once, and copies it: a selection cannot make the database render more
 * than the row has. Values remain the text that the database wrote, so that numbers stay exact.
 */
import { maxBytesOf, maxRowBytes, type Selected, type Selection } from './selection.ts'

/** A row as the database returned it. */
export type Parsed = Leaf | Parsed[] | { [name: string]: Parsed }

/** The JSON text of a primitive value. */
class Leaf {
  readonly text: string
  readonly bytes: number

  constructor(text: string) {
    this.text = text
    this.bytes = Buffer.byteLength(text)
  }
}

const nothing = new Leaf('null')

/**
 * @param selections of one row
 * @returns the same selections, or their union if they select anything twice or their aliases may be larger than the
 *   values
 */
export function withoutDuplicates(selections: readonly Selection[]): readonly Selection[] {
  const [only] = selections
  const known = only === undefined || selections.length > 1 ? undefined : ofOne.get(only)
  if (known !== undefined) return known
  const found = distinctSelections(selections)
  if (only !== undefined && selections.length === 1) ofOne.set(only, found)
  return found
}

/** Selections are created once and kept. */
const ofOne = new WeakMap<Selection, readonly Selection[]>()

function distinctSelections(selections: readonly Selection[]): readonly Selection[] {
  const bytes = selections.reduce((sum, selection) => sum + maxBytesOf(selection), 0)
  const arePlain = selections.every(isPlain)
  if (arePlain && (bytes <= maxRowBytes || selections.length === 0)) return selections
  const union = unionOf(selections)
  return arePlain && selections.length === 1 && maxBytesOf(union) > maxRowBytes ? selections : [union]
}

/** @returns everything that is selected, once and without aliases */
export function unionOf(selections: readonly Selection[]): Selection {
  const members = new Map<string, Selected>()
  const inner = new Map<string, Selection[]>()
  for (const selected of selections.flat()) {
    if (selected.kind === 'field') {
      const { field } = selected
      members.set(field.name, { kind: 'field', as: field.name, field })
    } else if (selected.kind === 'relation') {
      const { relation, selection } = selected
      const others = inner.get(relation.name)
      if (others === undefined) inner.set(relation.name, [selection])
      else others.push(selection)
      members.set(relation.name, { kind: 'relation', as: relation.name, relation, selection: [] })
    }
  }
  return [...members.values()].map((member) => {
    if (member.kind !== 'relation') return member
    return { ...member, selection: unionOf(inner.get(member.relation.name) ?? []) }
  })
}

/** Whether the selection reads as much as it renders, so that the database can render it. */
function isPlain(selection: Selection): boolean {
  const names = new Set(selection.map(nameOf))
  return (
    names.size === selection.length &&
    selection.every((selected) => selected.kind !== 'relation' || isPlain(selected.selection))
  )
}

/** @param json a row, or a list of rows */
export function parseRows(json: string): Parsed {
  return JSON.parse(json, keepSource as Reviver) // the types lack the source
}

type Reviver = (this: unknown, key: string, value: unknown) => unknown

function keepSource(_key: string, value: unknown, { source }: { source?: string }): unknown {
  return source === undefined ? value : new Leaf(source)
}

/** @param row read with a union that contains the selection @returns the bytes of the selection as JSON */
export function projectedBytes(row: Parsed, selection: Selection): number {
  if (row instanceof Leaf) return row.bytes // null
  if (Array.isArray(row)) {
    return row.reduce((sum, each) => sum + projectedBytes(each, selection) + 1, row.length === 0 ? 2 : 1)
  }
  let bytes = selection.length === 0 ? 2 : 1
  for (const selected of selection) bytes += selected.as.length + 4 + valueBytes(row, selected)
  return bytes
}

function valueBytes(row: { [name: string]: Parsed }, selected: Selected): number {
  if (selected.kind === 'constant') return selected.text.length + 2
  return projectedBytes(row[nameOf(selected)] ?? nothing, selected.kind === 'field' ? [] : selected.selection)
}

const pieceCharacters = 64 * 1024

/** The selection as JSON text, in pieces. */
export function* project(row: Parsed, selection: Selection): Generator<string, void> {
  const writer = new Writer()
  yield* writer.write(row, selection)
  yield writer.open
}

class Writer {
  open = '';

  *write(row: Parsed, selection: Selection): Generator<string, void> {
    if (row instanceof Leaf) this.open += row.text
    else if (Array.isArray(row)) yield* this.#list(row, selection)
    else yield* this.#object(row, selection)
  }

  *#list(rows: readonly Parsed[], selection: Selection): Generator<string, void> {
    this.open += '['
    for (const [index, row] of rows.entries()) {
      if (index > 0) this.open += ','
      yield* this.write(row, selection)
    }
    this.open += ']'
  }

  *#object(row: { [name: string]: Parsed }, selection: Selection): Generator<string, void> {
    let separator = '{'
    for (const selected of selection) {
      this.open += `${separator}"${selected.as}":`
      separator = ','
      const value = row[nameOf(selected)] ?? nothing
      if (selected.kind === 'constant') this.open += JSON.stringify(selected.text)
      else if (value instanceof Leaf) this.open += value.text
      else if (selected.kind === 'relation') yield* this.write(value, selected.selection)
      if (this.open.length < pieceCharacters) continue
      yield this.open
      this.open = ''
    }
    this.open += selection.length === 0 ? '{}' : '}'
  }
}

function nameOf(selected: Selected): string {
  switch (selected.kind) {
    case 'field':
      return selected.field.name
    case 'relation':
      return selected.relation.name
    case 'constant':
      return selected.as
  }
}
