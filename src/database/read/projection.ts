/**
 * Writes the selected members of a row, several times under different names if a client asks for that. The database
 * renders each value once, and copies are made here, so that a client cannot make the database render more than the
 * row.
 */
import { connectionOf } from './connection.ts'
import { Copy, jsonOf, Leaf, type Parsed, type Shaped } from './parsed.ts'
import { maxBytesOf, maxRowBytes, type Selected, type Selection } from './selection.ts'

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

/** The results for single selections, which are created once and kept by their queries. */
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
    } else if (selected.kind === 'page') {
      members.set(selected.page.key, { ...selected, as: selected.page.key })
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
    selection.every(
      (selected) => selected.kind !== 'page' && (selected.kind !== 'relation' || isPlain(selected.selection)),
    )
  )
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
  if (selected.kind === 'page') return shapedBytes(connectionOf(selected.page, row[selected.page.key]))
  const value = row[nameOf(selected)] ?? nothing
  if (selected.kind === 'relation') return projectedBytes(value, selected.selection)
  return value instanceof Leaf ? value.bytes : Buffer.byteLength(jsonOf(value))
}

/** @returns the bytes as JSON of a page of related rows, or of a part of it */
function shapedBytes(value: Shaped): number {
  if (value instanceof Leaf) return value.bytes
  if (value instanceof Copy) return projectedBytes(value.row, value.selection)
  if (Array.isArray(value)) return value.reduce((sum, each) => sum + shapedBytes(each) + 1, 2)
  let bytes = 2
  for (const [name, member] of value) bytes += name.length + 4 + shapedBytes(member)
  return bytes
}

const chunkCharacters = 64 * 1024

/** @returns the selected members of the row as JSON text, in chunks */
export function* project(row: Parsed, selection: Selection): Generator<string, void> {
  const writer = new Writer()
  yield* writer.write(row, selection)
  yield writer.open
}

class Writer {
  /** The text of the chunk that is being written. */
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
      else if (selected.kind === 'page')
        yield* this.#shaped(connectionOf(selected.page, row[selected.page.key]))
      else if (selected.kind === 'relation') yield* this.write(value, selected.selection)
      else this.open += jsonOf(value)
      if (this.open.length < chunkCharacters) continue
      yield this.open
      this.open = ''
    }
    this.open += selection.length === 0 ? '{}' : '}'
  }

  *#shaped(value: Shaped): Generator<string, void> {
    if (value instanceof Leaf) this.open += value.text
    else if (value instanceof Copy) yield* this.write(value.row, value.selection)
    else if (Array.isArray(value)) yield* this.#all('[]', value, () => '')
    else yield* this.#all('{}', [...value.values()], nameIn([...value.keys()]))
  }

  *#all(
    [open, close]: string,
    values: readonly Shaped[],
    nameOfValue: (index: number) => string,
  ): Generator<string, void> {
    this.open += open
    for (const [index, value] of values.entries()) {
      this.open += `${index === 0 ? '' : ','}${nameOfValue(index)}`
      yield* this.#shaped(value)
      if (this.open.length < chunkCharacters) continue
      yield this.open
      this.open = ''
    }
    this.open += close
  }
}

function nameIn(names: readonly string[]): (index: number) => string {
  return (index) => `"${names[index]}":`
}

function nameOf(selected: Selected): string {
  switch (selected.kind) {
    case 'field':
      return selected.field.name
    case 'relation':
      return selected.relation.name
    case 'page':
      return selected.page.key
    case 'constant':
      return selected.as
  }
}
