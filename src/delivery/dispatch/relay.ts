/**
 * Events of the catalogue, such as `user.created`, stand beside the change they tell of. Where their tenant has a
 * database of its own they are copied there first: its subscriptions, and the log of their deliveries, are there.
 */
import type { Shared, Tenant } from '../../context.ts'
import { QueueData } from '../../database/data.ts'
import type { Database } from '../../database/executor.ts'
import type { Attendance } from '../attendance/attendance.ts'
import { copyEvents, markDispatched, newEventsOf } from './sql.ts'

const mostAtOnce = 100
const firstPauseMs = 1000
const longestPauseMs = 60_000

export class Relay {
  readonly #shared: Shared
  readonly #attendance: Attendance
  /** Tenants whose database could not be reached, and when it is tried again. */
  readonly #pauses = new Map<string, { untilMs: number; ms: number }>()

  constructor(shared: Shared, attendance: Attendance) {
    this.#shared = shared
    this.#attendance = attendance
  }

  isPaused(tenantId: string): boolean {
    return (this.#pauses.get(tenantId)?.untilMs ?? 0) > performance.now()
  }

  /** @returns whether everything was copied; a crash in between copies again, which changes nothing */
  async relay(from: Database, tenant: Tenant): Promise<boolean> {
    try {
      await this.#copy(from, tenant)
      this.#pauses.delete(tenant.id)
      return true
    } catch (error) {
      const ms = Math.min((this.#pauses.get(tenant.id)?.ms ?? firstPauseMs / 2) * 2, longestPauseMs)
      this.#pauses.set(tenant.id, { ms, untilMs: performance.now() + ms })
      this.#shared.log.warn({ err: error, tenantId: tenant.id }, 'events not copied yet')
      return false
    }
  }

  async #copy(from: Database, tenant: Tenant): Promise<void> {
    const source = new QueueData(from.executor)
    await this.#attendance.touch(tenant.id)
    const lease = await this.#shared.tenantDatabases.lease(tenant)
    try {
      for (;;) {
        const events = await newEventsOf(source, tenant.id, mostAtOnce)
        if (events.length === 0) return
        await lease.database.transaction((transaction) => copyEvents(new QueueData(transaction), events))
        const now = this.#shared.clock().toISOString()
        await from.transaction((transaction) => markDispatched(new QueueData(transaction), events, now))
        if (events.length < mostAtOnce) return
      }
    } finally {
      lease.release()
    }
  }
}
