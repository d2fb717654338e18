/**
 * The list of tenants whose own databases may have pending work. A row of the tenant is written to the catalogue before
 * the first write to such a database ("touch"). Work is therefore found after a crash, without opening all databases.
 */

import type { InstallationData } from '../../database/data.ts'
import { type Database, type Executor, resync } from '../../database/executor.ts'
import { installation } from '../installation.ts'
import { changedTenant } from '../tenant/directory.ts'
import { foldTenantId } from '../tenant/tenant-id.ts'
import { allPendingTenants, deletePendingTenant, type PendingTenant, upsertPendingTenant } from './sql.ts'

/** How long this instance relies on a row that it has written, and does not write it again. */
const freshMs = 60_000
/**
 * A row is removed only at this age, which is much more than `freshMs`, so that differences of clocks do not matter.
 */
const minRemovalAgeMs = 5 * 60_000
/** A row of this age is relied on by no instance any more: each would have written it again before. */
const settledAgeMs = 2 * freshMs

/** Reads and writes the rows of `pending_tenant`. */
export class PendingTenants {
  readonly #catalogue: Database
  readonly #clock: () => Date
  /** The moments at which this instance wrote the rows, by case-folded id. */
  readonly #touched = new Map<string, number>()
  /** The rows as last read: when each was touched, by case-folded id. */
  readonly #known = new Map<string, string>()
  /**
   * Tenants without work that is due before a moment ("idle"), by case-folded id. The generation is a number that
   * changes each time a tenant becomes idle.
   */
  readonly #idle = new Map<string, { touchedAt: string; untilMs: number; generation: number }>()
  #generation = 0

  constructor(catalogue: Database, clock: () => Date) {
    this.#catalogue = catalogue
    this.#clock = clock
  }

  /**
   * Must be called before a transaction in the tenant's own database.
   * @returns `null` when the row is fresh @throws DatabaseUnavailable
   */
  touch(tenantId: string): Promise<void> | null {
    const nowMs = this.#clock().getTime()
    const touchedMs = this.#touched.get(foldTenantId(tenantId))
    // A clock that was set back must not make a row fresh.
    const isFresh = touchedMs !== undefined && nowMs >= touchedMs && nowMs - touchedMs < freshMs
    return isFresh ? null : this.#write(tenantId, nowMs)
  }

  /** Forgets state that a change makes stale: the row may have been removed with the tenant. */
  invalidate(change: string): void {
    const tenant = changedTenant(change)
    for (const cache of [this.#touched, this.#idle]) {
      if (change === resync) cache.clear()
      else if (tenant !== null) cache.delete(tenant)
    }
  }

  async all(): Promise<string[]> {
    return (await this.#read()).map(({ tenantId }) => tenantId)
  }

  /** Tenants whose database has to be visited, without those that are known to be idle. */
  async toVisit(): Promise<string[]> {
    return (await this.#read()).filter((row) => !this.#isIdle(row)).map(({ tenantId }) => tenantId)
  }

  /** Records a write to the tenant's database. */
  markBusy(tenantId: string): void {
    this.#idle.delete(foldTenantId(tenantId))
  }

  /**
   * Records that the tenant's database has no pending work: it is not visited until its row may be removed. On
   * PostgreSQL this is recorded only for an old row: while a row is young, another instance may write without
   * touching it.
   * @param untilMs when the first pending work is due; until then the tenant counts as idle, and its row stays
   */
  markIdle(tenantId: string, untilMs = Number.POSITIVE_INFINITY): void {
    const key = foldTenantId(tenantId)
    const touchedAt = this.#known.get(key)
    if (touchedAt === undefined) return
    const isSettled = this.#ageMs(touchedAt) >= settledAgeMs
    if (isSettled || this.#catalogue.dialect === 'sqlite')
      this.#idle.set(key, { touchedAt, untilMs, generation: ++this.#generation })
  }

  /**
   * A number that changes each time the tenant becomes idle: what was counted in an idle database stays true until it
   * changes.
   * @returns `null` for a tenant that was never found idle, or was busy since
   */
  idleGeneration(tenantId: string): number | null {
    return this.#idle.get(foldTenantId(tenantId))?.generation ?? null
  }

  /** Removes the row of a tenant without pending work, unless it is too young. */
  async remove(tenantId: string): Promise<void> {
    const beforeMs = this.#clock().getTime() - minRemovalAgeMs
    const touchedAt = this.#known.get(foldTenantId(tenantId))
    if (touchedAt !== undefined && Date.parse(touchedAt) >= beforeMs) return
    const before = new Date(beforeMs).toISOString()
    await this.#catalogue.transaction((transaction) =>
      deletePendingTenant(pending(transaction), tenantId, before),
    )
  }

  async #read(): Promise<PendingTenant[]> {
    const rows = await allPendingTenants(pending(this.#catalogue.executor))
    this.#known.clear()
    for (const { tenantId, touchedAt } of rows) this.#known.set(foldTenantId(tenantId), touchedAt)
    for (const key of this.#idle.keys()) if (!this.#known.has(key)) this.#idle.delete(key)
    return rows
  }

  /** A tenant without any work whose row may be removed is not idle: it is visited once more. */
  #isIdle({ tenantId, touchedAt }: PendingTenant): boolean {
    const idle = this.#idle.get(foldTenantId(tenantId))
    if (idle?.touchedAt !== touchedAt) return false
    const hasWork = Number.isFinite(idle.untilMs)
    return hasWork ? this.#clock().getTime() < idle.untilMs : this.#ageMs(touchedAt) < minRemovalAgeMs
  }

  #ageMs(touchedAt: string): number {
    return this.#clock().getTime() - Date.parse(touchedAt)
  }

  async #write(tenantId: string, nowMs: number): Promise<void> {
    await this.#catalogue.transaction((transaction) =>
      upsertPendingTenant(pending(transaction), { tenantId, touchedAt: new Date(nowMs).toISOString() }),
    )
    this.#touched.set(foldTenantId(tenantId), nowMs)
  }
}

function pending(executor: Executor): InstallationData {
  return installation(executor, 'the queues find the tenants that have work')
}
