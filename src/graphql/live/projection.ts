/**
 * One row in several selections: it is read once with all that any of them selects, and each is cut out of that. Values
 * stay the text that the database wrote, so that no number changes on the way.
 */
import type { Selected, Selection } from '../../database/read/selection.ts'

/** The JSON text of a primitive value, or what is made of such. */
export type Parsed = string | Parsed[] | { [name: string]: Parsed }

/** A field that is selected under many names makes a small row large. */
const maxChars = 500_000

/** A selection of a row would be too large. */
export class ProjectionTooLarge extends Error {}

/** @returns everything that is selected, once and under its own name */
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

/** @returns whether the selection reads as much as it renders: then the database may as well render it */
export function isPlain(selection: Selection): boolean {
  const names = new Set(selection.map(nameOf))
  return (
    names.size === selection.length &&
    selection.every((selected) => selected.kind !== 'relation' || isPlain(selected.selection))
  )
}

export function parseRow(json: string): Parsed {
  return JSON.parse(json, keepSource as Reviver) // the types know no source yet
}

/** @param row read with a union that the selection is in @throws ProjectionTooLarge */
export function project(row: Parsed, selection: Selection): string {
  return new Projection().write(row, selection)
}

type Reviver = (this: unknown, key: string, value: unknown) => unknown

function keepSource(_key: string, value: unknown, { source }: { source?: string }): unknown {
  return source ?? value
}

class Projection {
  #chars = 0

  write(row: Parsed, selection: Selection): string {
    if (typeof row === 'string') return row // null
    if (Array.isArray(row)) return `[${row.map((each) => this.write(each, selection)).join(',')}]`
    return `{${selection.map((selected) => `"${selected.as}":${this.#value(row, selected)}`).join(',')}}`
  }

  #value(row: { [name: string]: Parsed }, selected: Selected): string {
    if (selected.kind === 'constant') return this.#count(JSON.stringify(selected.text), selected)
    const value = row[nameOf(selected)] ?? 'null'
    if (selected.kind === 'relation') return this.write(value, selected.selection)
    return this.#count(typeof value === 'string' ? value : JSON.stringify(value), selected)
  }

  #count(text: string, { as }: Selected): string {
    this.#chars += text.length + as.length
    if (this.#chars > maxChars) throw new ProjectionTooLarge()
    return text
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
