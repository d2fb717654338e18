/** The jitter of a schedule: when the job of each tenant begins within an occurrence. Pure. */
import { createHash } from 'node:crypto'
import type { Schedule } from '../../core/feature/schedule.ts'

/** The place of a tenant in an occurrence, which is one time at which the schedule is due. */
export interface Place {
  /** The case-folded id of the tenant. */
  tenantKey: string
  /** The time from the beginning of the occurrence until the job of the tenant is due. */
  delayMs: number
  /** Sorts like the delay, and differs between tenants. */
  position: string
}

/** The position before all places. */
export const noPosition = ''

/** A tenant has the same place each time, so that the jobs of a daily schedule are a day apart. */
export function placeOf(schedule: string, tenantKey: string, windowMs: number): Place {
  const digest = createHash('sha256').update(`${schedule}\n${tenantKey}`).digest()
  const delayMs = Math.floor((digest.readUInt32BE() / 2 ** 32) * windowMs)
  return { tenantKey, delayMs, position: `${String(delayMs).padStart(8, '0')}/${tenantKey}` }
}

/** @returns the places in the order of their delays */
export function placesOf(schedule: string, tenantKeys: readonly string[], windowMs: number): Place[] {
  const places = tenantKeys.map((key) => placeOf(schedule, key, windowMs))
  return places.sort((one, other) => (one.position < other.position ? -1 : 1))
}

/**
 * The time in which the jobs begin: at most half the time until the next occurrence, so
 * that occurrences do not overlap.
 */
export function windowMsOf(schedule: Schedule, begunAt: Date): number {
  const untilNextMs = schedule.next(begunAt).getTime() - begunAt.getTime()
  return Math.floor(Math.min(schedule.spreadSeconds * 1000, untilNextMs / 2))
}
