/** The rows and pages that the user opened last, stored in this browser. */
import { storedChoice } from '../portal.ts'

export interface Visit {
  /** The path below the console, without filters: `/entities/ticket/0190…`. */
  path: string
  label: string
  /** The moment of the visit, in milliseconds since 1970. */
  at: number
}

const maxVisits = 40
const freshMs = 14 * 24 * 60 * 60 * 1000

/** @returns the visits, the latest first */
export function visitsOf(userId: string): Visit[] {
  try {
    const value: unknown = JSON.parse(storedChoice(keyOf(userId)) ?? '[]')
    return Array.isArray(value) ? value.filter(isVisit) : []
  } catch {
    return [] // the stored text is not JSON
  }
}

export function noteVisit(userId: string, { path, label }: { path: string; label: string }): void {
  const others = visitsOf(userId).filter((each) => each.path !== path)
  const all = [{ path, label, at: Date.now() }, ...others].slice(0, maxVisits)
  try {
    localStorage.setItem(keyOf(userId), JSON.stringify(all))
  } catch {
    // without room in the storage, the visit is not stored
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
  const { path, label, at } = value as Partial<Visit> // the next line checks each member
  return typeof path === 'string' && typeof label === 'string' && typeof at === 'number'
}
