/**
 * The state of a row before and after its change, which an event stores beside its payload: the members that filters
 * and access rules compare. By it subscribers find out, without reading the row, whether the change concerns them.
 */

type Values = Readonly<Record<string, unknown>>

export interface EventState {
  /** The version of the row after the change; a deleted row has that of its last state. */
  version: number
  /** The row before; `null` for a new row. A change stores only the members that differ from those after it. */
  before: Values | null
  /** The row after; `null` for a deleted row. */
  after: Values | null
  /** The names of all members that have changed, also of those that are not stored. */
  changed?: readonly string[]
  /** The names of members whose texts are too long to be stored. */
  long?: readonly string[]
}

/** Takes the place of a state that is too large. Subscribers then have to read the row. */
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

/** @returns the state as JSON text */
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
  const { before, after, changed = [] } = state
  // Unchanged members are only in `after`. One that has changed had no value before, or a text that is too long.
  const alike = Object.entries(after).filter(([name]) => !changed.includes(name))
  return { ...state, before: { ...Object.fromEntries(alike), ...before } }
}
