/**
 * Events of the catalogue, such as `user.created`, stand beside the change they tell of. Where their tenant has a
 * database of its own they are copied there first: its subscriptions, and the log of their deliveries, are there.
 */

import type { Shared, Tenant } from '../../../core/context.ts'
import { currentTenant, isUnchanged } from '../../../core/tenant/directory.ts'
import { levelOf } from '../../../core/tenant/unavailable-database.ts'
import { CatalogueData, QueueData } from '../../../database/data.ts'
import type { Database } from '../../../database/executor.ts'
import { KeyedSemaphore } from '../keyed-semaphore.ts'
import type { PendingTenants } from '../pending-tenants/pending-tenants.ts'
import { copyEvents, markDispatched, newEventsOf } from './sql.ts'

const mostAtOnce = 100
/** Databases that are asked at the same time: one that does not answer holds up nobody but its own tenant. */
const mostTenantsAtOnce = 8
const holdMs = 250
const firstPauseMs = 1000
const longestPauseMs = 60_000

export class Relay {
  readonly #shared: Shared
  readonly #pendingTenants: PendingTenants
  readonly #semaphore = new KeyedSemaphore(mostTenantsAtOnce, holdMs)
  /** Tenants whose database could not be reached, and when it is tried again. */
  readonly #pauses = new Map<string, { untilMs: number; ms: number }>()
  #isStopped = false

  constructor(shared: Shared, pendingTenants: PendingTenants) {
    this.#shared = shared
    this.#pendingTenants = pendingTenants
  }

  /**
   * Copies in the background, one run for a tenant at a time; those whose last one failed are behind the others.
   * A crash in between copies again, which changes nothing.
   * @param done called when everything was copied
   */
  start(from: Database, tenant: Tenant, done: () => void): void {
    const { id } = tenant
    if (this.#isStopped || this.#semaphore.has(id)) return
    const pause = this.#pauses.get(id)
    if (pause !== undefined && pause.untilMs > performance.now()) return
    void this.#semaphore.enter(id, () => this.#relay(from, tenant, done), pause !== undefined)
  }

  /** Waits for what is under way. */
  settled(): Promise<void> {
    return this.#semaphore.settled()
  }

  /** Begins nothing more, and waits for what is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#semaphore.clear()
    await this.settled()
  }

  async #relay(from: Database, tenant: Tenant, done: () => void): Promise<void> {
    try {
      await this.#copy(from, tenant)
      this.#pauses.delete(tenant.id)
      if (!this.#isStopped) done()
    } catch (error) {
      const paused = this.#pauses.get(tenant.id)
      const ms = Math.min((paused?.ms ?? firstPauseMs / 2) * 2, longestPauseMs)
      this.#pauses.set(tenant.id, { ms, untilMs: performance.now() + ms })
      const level = paused === undefined ? levelOf(error) : 'debug'
      this.#shared.log[level]({ err: error, tenantId: tenant.id }, 'events not copied yet')
    }
  }

  async #copy(from: Database, tenant: Tenant): Promise<void> {
    const source = new QueueData(from.executor)
    // The tenant may move meanwhile, and what was copied stay behind: then it is not marked, and copied again.
    const before = await currentTenant(new CatalogueData(from.executor), tenant.id)
    if (before?.hasOwnDatabase !== true) return
    await this.#pendingTenants.touch(tenant.id)
    const lease = await this.#shared.tenantDatabases.lease(tenant)
    try {
      for (;;) {
        const events = await newEventsOf(source, tenant.id, mostAtOnce)
        if (events.length === 0) return
        await lease.database.transaction((transaction) => copyEvents(new QueueData(transaction), events))
        const now = this.#shared.clock().toISOString()
        const isMarked = await from.transaction(async (transaction) => {
          if (!(await isUnchanged(new CatalogueData(transaction), before))) return false
          await markDispatched(new QueueData(transaction), events, now)
          return true
        })
        if (!isMarked) return
        if (events.length < mostAtOnce || this.#isStopped) return
      }
    } finally {
      lease.release()
    }
  }
}
