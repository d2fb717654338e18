/** Names in requests and settings: whether they are known, and which known name a misspelt one may mean. */

import { LruMap } from '../database/lru-map.ts'

/** Longer names are not compared: the time of a comparison grows with the length. */
const maxLength = 100
const maxDistance = 3

/** @returns the nearest of the known names, without regard to case, or `null` when none is near */
export function nearestName(name: string, known: Iterable<string>): string | null {
  if (name.length > maxLength) return null
  const written = name.toLowerCase()
  let nearestEdits = Math.min(maxDistance, Math.max(1, Math.floor(name.length / 3))) + 1
  let nearest: string | null = null
  for (const candidate of known) {
    const edits = editDistance(written, candidate.toLowerCase())
    if (edits >= nearestEdits) continue
    nearestEdits = edits
    nearest = candidate
  }
  return nearest
}

/** `; did you mean limit?`, or nothing. */
export function suggestion(name: string, known: Iterable<string>): string {
  const nearest = nearestName(name, known)
  return nearest === null ? '' : `; did you mean ${nearest}?`
}

/** `limt is not a parameter; did you mean limit?`. @param word may begin with the `-` of a descending order */
export function notKnown(word: string, what: string, known: Iterable<string>): string {
  const name = word.replace(/^-/, '').slice(0, maxLength)
  return `${name} is ${what}${suggestion(name, known)}`
}

/** Letters to add, remove or replace (Levenshtein). Two swapped neighbours alone count as one edit. */
function editDistance(written: string, known: string): number {
  if (isOneEditAway(written, known)) return written === known ? 0 : 1
  let row = Array.from({ length: known.length + 1 }, (_, index) => index)
  for (const letter of written.split('')) row = nextDistances(row, letter, known)
  return row.at(-1) ?? 0
}

/**
 * @param row the distances between the text so far and each beginning of the known name, as Levenshtein's table has
 *   them
 */
function nextDistances(row: readonly number[], letter: string, known: string): number[] {
  const [written = 0] = row
  const next = [written + 1]
  for (let index = 0; index < known.length; index++) {
    const [replaced = 0, removed = 0] = row.slice(index, index + 2)
    const cost = letter === known[index] ? 0 : 1
    next.push(Math.min(replaced + cost, removed + 1, (next[index] ?? 0) + 1))
  }
  return next
}

/** Whether the texts are equal, or differ by one letter or by two swapped neighbours. */
export function isOneEditAway(left: string, right: string): boolean {
  let start = 0
  while (start < left.length && left[start] === right[start]) start++
  let end = 0
  const shorter = Math.min(left.length, right.length) - start
  while (end < shorter && left.at(-1 - end) === right.at(-1 - end)) end++
  const [a, b] = [left.slice(start, left.length - end), right.slice(start, right.length - end)]
  return (
    (a.length <= 1 && b.length <= 1) || (a.length === 2 && b.length === 2 && a[0] === b[1] && a[1] === b[0])
  )
}

/** The names that are kept with their nearest name: an application sends the same names again and again. */
const maxCachedNames = 1000

/** The names of events or actions that features declare. */
export class DeclaredNames {
  readonly #names: ReadonlySet<string>
  readonly #nearest = new LruMap<string, { name: string | null }>(maxCachedNames)

  constructor(names: Iterable<string>) {
    this.#names = new Set(names)
  }

  list(): string[] {
    return [...this.#names].sort()
  }

  has(name: string): boolean {
    return this.#names.has(name)
  }

  /** @returns the nearest declared name, or `null`; patterns such as `order.*` are compared with patterns */
  nearest(name: string): string | null {
    const cached = this.#nearest.get(name)
    if (cached !== undefined) return cached.name
    const alike = [...this.#names].filter((each) => isPattern(each) === isPattern(name))
    const found = { name: nearestName(name, alike) }
    this.#nearest.set(name, found)
    return found.name
  }
}

function isPattern(name: string): boolean {
  return name.endsWith('*')
}
