/** The rows and pages that the user saw last, kept in this browser. */
import { storedChoice } from '../portal.ts'

export interface Visit {
  /** Below the console, without filters: `/entities/ticket/0190…`. */
  path: string
  label: string
  /** The moment is in milliseconds since 1970. */
  at: number
}

const maxVisits = 40
const freshMs = 14 * 24 * 60 * 60 * 1000

/** @returns the latest first */
export function visitsOf(userId: string): Visit[] {
  try {
    const value: unknown = JSON.parse(storedChoice(keyOf(userId)) ?? '[]')
    return Array.isArray(value) ? value.filter(isVisit) : []
  } catch {
    return [] // somebody else has written it
  }
}

export function noteVisit(userId: string, { path, label }: { path: string; label: string }): void {
  const others = visitsOf(userId).filter((each) => each.path !== path)
  const all = [{ path, label, at: Date.now() }, ...others].slice(0, maxVisits)
  try {
    localStorage.setItem(keyOf(userId), JSON.stringify(all))
  } catch {
    // without room it is not remembered
  }
}

export function isFresh({ at }: Visit, now = Date.now()): boolean {
  return now - at < freshMs
}

function keyOf(userId: string): string {
  return `tenantry.visits.${userId}`
}

function isVisit(value: unknown): value is Visit {
  if (typeof value !== 'object' || value === null) return false
  const { path, label, at } = value as Partial<Visit> // each member is looked at
  return typeof path === 'string' && typeof label === 'string' && typeof at === 'number'
}
