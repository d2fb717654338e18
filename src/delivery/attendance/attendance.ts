/**
 * Which tenants' own databases may hold something to deliver. The mark is in the catalogue before the first write
 * to such a database, so that a crash leaves nothing unseen, and nobody has to open a thousand files to look.
 */
import { CatalogueData } from '../../database/data.ts'
import { type Database, resync } from '../../database/executor.ts'
import { changedTenant, foldTenantId } from '../../tenant/directory.ts'
import { attendedTenants, deleteAttended, upsertAttended } from './sql.ts'

/** A mark of our own is believed this long; it is removed only when it is much older, whichever clock is asked. */
const freshMs = 60_000
const removableMs = 5 * 60_000

export class Attendance {
  readonly #catalogue: Database
  readonly #clock: () => Date
  /** By folded id. */
  readonly #touched = new Map<string, number>()

  constructor(catalogue: Database, clock: () => Date) {
    this.#catalogue = catalogue
    this.#clock = clock
  }

  /** Has to be called before a transaction in the tenant's own database. @throws DatabaseUnavailable */
  touch(tenantId: string): Promise<void> | null {
    const now = this.#clock().getTime()
    const last = this.#touched.get(foldTenantId(tenantId))
    const isFresh = last !== undefined && now >= last && now - last < freshMs // not when the clock was set back
    if (isFresh) return null
    return this.#mark(tenantId, now)
  }

  /** Marks that were set are not believed any longer where they may have gone with the tenant. */
  heed(change: string): void {
    const tenant = changedTenant(change)
    if (change === resync) this.#touched.clear()
    else if (tenant !== null) this.#touched.delete(tenant)
  }

  marked(): Promise<string[]> {
    return attendedTenants(new CatalogueData(this.#catalogue.executor))
  }

  /** For a database in which nothing waits. */
  async leave(tenantId: string): Promise<void> {
    const before = new Date(this.#clock().getTime() - removableMs).toISOString()
    await this.#catalogue.transaction((transaction) =>
      deleteAttended(new CatalogueData(transaction), tenantId, before),
    )
  }

  async #mark(tenantId: string, now: number): Promise<void> {
    await this.#catalogue.transaction((transaction) =>
      upsertAttended(new CatalogueData(transaction), tenantId, new Date(now).toISOString()),
    )
    this.#touched.set(foldTenantId(tenantId), now)
  }
}
