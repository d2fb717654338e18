/**
 * Which tenants' own databases may hold waiting work. The catalogue has a row of each before the first write to such a
 * database: a crash leaves nothing unseen, and a start does not open a thousand files to look.
 */

import { CatalogueData } from '../../database/data.ts'
import { type Database, resync } from '../../database/executor.ts'
import { changedTenant, foldTenantId } from '../tenant/directory.ts'
import { allPendingTenants, deletePendingTenant, type PendingTenant, upsertPendingTenant } from './sql.ts'

/** A row that this instance has written is believed for so long. */
const freshMs = 60_000
/** A row is removed only when it is much older, whichever clock is asked. */
const minRemovalAgeMs = 5 * 60_000
/** From this age on, another instance that believes a row has written it again. */
const settledAgeMs = 2 * freshMs

/** The tenants in whose own database something may wait: the rows of `pending_tenant`. */
export class PendingTenants {
  readonly #catalogue: Database
  readonly #clock: () => Date
  /** When this instance has written the row, by folded id. */
  readonly #touched = new Map<string, number>()
  /** The rows as last read: when each was touched, by folded id. */
  readonly #known = new Map<string, string>()
  /** Tenants without waiting work, by folded id: when their row was touched, and a number for each such finding. */
  readonly #idle = new Map<string, { touchedAt: string; finding: number }>()
  #findings = 0

  constructor(catalogue: Database, clock: () => Date) {
    this.#catalogue = catalogue
    this.#clock = clock
  }

  /**
   * To be called before a transaction in the tenant's own database.
   * @returns `null` when the row is fresh @throws DatabaseUnavailable
   */
  touch(tenantId: string): Promise<void> | null {
    const nowMs = this.#clock().getTime()
    const touchedMs = this.#touched.get(foldTenantId(tenantId))
    // A clock that was set back makes no row fresh.
    const isFresh = touchedMs !== undefined && nowMs >= touchedMs && nowMs - touchedMs < freshMs
    return isFresh ? null : this.#write(tenantId, nowMs)
  }

  /** Forgets what a change makes stale: the row may have gone with the tenant. */
  invalidate(change: string): void {
    const tenant = changedTenant(change)
    for (const remembered of [this.#touched, this.#idle]) {
      if (change === resync) remembered.clear()
      else if (tenant !== null) remembered.delete(tenant)
    }
  }

  async all(): Promise<string[]> {
    return (await this.#read()).map(({ tenantId }) => tenantId)
  }

  /** Those whose database has to be visited: not those that are known to be idle. */
  async toVisit(): Promise<string[]> {
    return (await this.#read()).filter((row) => !this.#isIdle(row)).map(({ tenantId }) => tenantId)
  }

  /** Something was written to the tenant's database. */
  markBusy(tenantId: string): void {
    this.#idle.delete(foldTenantId(tenantId))
  }

  /**
   * Nothing waits in the tenant's database: it is not visited until its row may be removed. On PostgreSQL another
   * instance may write there without touching a young row, so that the row has to be settled first.
   */
  markIdle(tenantId: string): void {
    const key = foldTenantId(tenantId)
    const touchedAt = this.#known.get(key)
    if (touchedAt === undefined) return
    const isSettled = this.#ageMs(touchedAt) >= settledAgeMs
    if (isSettled || this.#catalogue.dialect === 'sqlite')
      this.#idle.set(key, { touchedAt, finding: ++this.#findings })
  }

  /** The number of the finding that nothing waits there, `null` while something may. */
  idleFinding(tenantId: string): number | null {
    return this.#idle.get(foldTenantId(tenantId))?.finding ?? null
  }

  /** For a tenant in whose own database nothing waits. Leaves a row that is too young. */
  async remove(tenantId: string): Promise<void> {
    const beforeMs = this.#clock().getTime() - minRemovalAgeMs
    const touchedAt = this.#known.get(foldTenantId(tenantId))
    if (touchedAt !== undefined && Date.parse(touchedAt) >= beforeMs) return
    const before = new Date(beforeMs).toISOString()
    await this.#catalogue.transaction((transaction) =>
      deletePendingTenant(new CatalogueData(transaction), tenantId, before),
    )
  }

  async #read(): Promise<PendingTenant[]> {
    const rows = await allPendingTenants(new CatalogueData(this.#catalogue.executor))
    this.#known.clear()
    for (const { tenantId, touchedAt } of rows) this.#known.set(foldTenantId(tenantId), touchedAt)
    for (const key of this.#idle.keys()) if (!this.#known.has(key)) this.#idle.delete(key)
    return rows
  }

  /** A tenant whose row may be removed is visited once more. */
  #isIdle({ tenantId, touchedAt }: PendingTenant): boolean {
    const isRemovable = this.#ageMs(touchedAt) >= minRemovalAgeMs
    return !isRemovable && this.#idle.get(foldTenantId(tenantId))?.touchedAt === touchedAt
  }

  #ageMs(touchedAt: string): number {
    return this.#clock().getTime() - Date.parse(touchedAt)
  }

  async #write(tenantId: string, nowMs: number): Promise<void> {
    await this.#catalogue.transaction((transaction) =>
      upsertPendingTenant(new CatalogueData(transaction), tenantId, new Date(nowMs).toISOString()),
    )
    this.#touched.set(foldTenantId(tenantId), nowMs)
  }
}
