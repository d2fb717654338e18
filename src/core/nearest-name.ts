/** Which known name a misspelt one may have been. */
import { distance } from 'fastest-levenshtein'

/** Longer ones are compared with nothing: the time of a comparison grows with the length. */
const maxLength = 100
const maxDistance = 3

/** @returns the nearest of the known names, without regard to case, or `null` when none is near */
export function nearestName(name: string, known: Iterable<string>): string | null {
  if (name.length > maxLength) return null
  const written = name.toLowerCase()
  let least = Math.min(maxDistance, Math.max(1, Math.floor(name.length / 3))) + 1
  let nearest: string | null = null
  for (const candidate of known) {
    const steps = stepsBetween(written, candidate.toLowerCase())
    if (steps >= least) continue
    least = steps
    nearest = candidate
  }
  return nearest
}

/** `; is limit meant?`, or nothing. */
export function suggestion(name: string, known: Iterable<string>): string {
  const nearest = nearestName(name, known)
  return nearest === null ? '' : `; is ${nearest} meant?`
}

/** The library counts two neighbours that are swapped as two steps. */
function stepsBetween(written: string, known: string): number {
  const steps = distance(written, known)
  return steps === 2 && isOneSlipAway(written, known) ? 1 : steps
}

/** The same, or one letter more, less or other, or two neighbours swapped. */
export function isOneSlipAway(left: string, right: string): boolean {
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
