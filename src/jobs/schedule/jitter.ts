/** The jitter of a schedule: when the job of each tenant begins within an occurrence. Pure. */
import { createHash } from 'node:crypto'
import type { Schedule } from '../../core/feature/schedule.ts'

/** The place of a tenant in an occurrence. */
export interface Place {
  /** The case-folded id of the tenant. */
  tenantKey: string
  /** When its job is due, from the beginning of the occurrence. */
  delayMs: number
  /** Sorts like the delay, and differs between tenants. */
  position: string
}

/** Before all places. */
export const noPosition = ''

/** A tenant has the same place each time, so that the jobs of a daily schedule are a day apart. */
export function placeOf(schedule: string, tenantKey: string, windowMs: number): Place {
  const digest = createHash('sha256').update(`${schedule}\n${tenantKey}`).digest()
  const delayMs = Math.floor((digest.readUInt32BE() / 2 ** 32) * windowMs)
  return { tenantKey, delayMs, position: `${String(delayMs).padStart(8, '0')}/${tenantKey}` }
}

/** In the order of their delays. */
export function placesOf(schedule: string, tenantKeys: readonly string[], windowMs: number): Place[] {
  const places = tenantKeys.map((key) => placeOf(schedule, key, windowMs))
  return places.sort((one, other) => (one.position < other.position ? -1 : 1))
}

/** The window is at most half the time to the next occurrence, so that an occurrence is over before the next one. */
export function windowMsOf(schedule: Schedule, begunAt: Date): number {
  const untilNextMs = schedule.next(begunAt).getTime() - begunAt.getTime()
  return Math.floor(Math.min(schedule.spreadSeconds * 1000, untilNextMs / 2))
}
