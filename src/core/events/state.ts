/**
 * What an event keeps of the row that changed, beside its payload: the members by which lists filter and rules decide,
 * before and after the change. Who reached the row, and which lists had it, is decided without reading it, also later.
 */

type Values = Readonly<Record<string, unknown>>

export interface EventState {
  /** The version of the row after the change; a deleted row has that of its last state. */
  version: number
  /** `null` for a new row. Of a change only the members that differ from those after it. */
  before: Values | null
  /** `null` for a deleted row. */
  after: Values | null
  /** The members that the change has given other values, also those that no filter names. */
  changed?: readonly string[]
  /** Members whose texts are too long to be kept. */
  long?: readonly string[]
}

/** Its members would take too much: whatever depends on them is read again. */
export interface CutState {
  version: number
  isCut: true
}

/** The maximum size of a state as JSON. */
const maxStateBytes = 2048
const maxKeptCharacters = 200

interface Row extends Values {
  version: number
}

interface Change {
  /** The names of the members that are kept. */
  kept: readonly string[]
  /** The names of all members. */
  all: readonly string[]
  before: Row | null
  after: Row | null
}

/** @returns JSON text */
export function stateText({ kept, all, before, after }: Change): string {
  const version = (after ?? before)?.version ?? 0
  const long = new Set<string>()
  const differing =
    before === null || after === null ? all : all.filter((name) => !isSame(before[name], after[name]))
  const changed = new Set(differing)
  const state: EventState = {
    version,
    before: before && keptOf(before, after === null ? kept : kept.filter((name) => changed.has(name)), long),
    after: after && keptOf(after, kept, long),
  }
  if (before !== null && after !== null) state.changed = differing
  if (long.size > 0) state.long = [...long]
  const text = JSON.stringify(state)
  return Buffer.byteLength(text) > maxStateBytes
    ? JSON.stringify({ version, isCut: true } satisfies CutState)
    : text
}

function keptOf(row: Values, names: readonly string[], long: Set<string>): Values {
  const values: Record<string, unknown> = {}
  for (const name of names) {
    const value = row[name]
    if (typeof value === 'string' && value.length > maxKeptCharacters) long.add(name)
    else values[name] = value
  }
  return values
}

/** Whether two values are the same as JSON, where an absent one is `null`. */
export function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
}

/** @param text of `stateText` */
export function readState(text: string): EventState | CutState {
  const state: EventState | CutState = JSON.parse(text)
  if ('isCut' in state || state.before === null || state.after === null) return state
  const { before, after, long = [] } = state
  // A text that was too long before has another value than the one after it.
  const alike = Object.entries(after).filter(([name]) => !long.includes(name))
  return { ...state, before: { ...Object.fromEntries(alike), ...before } }
}
