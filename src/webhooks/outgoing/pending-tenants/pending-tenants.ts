/**
 * Which tenants' own databases may hold something to deliver. The mark is in the catalogue before the first write
 * to such a database, so that a crash leaves nothing unseen, and nobody has to open a thousand files to look.
 */

import { changedTenant, foldTenantId } from '../../../core/tenant/directory.ts'
import { CatalogueData } from '../../../database/data.ts'
import { type Database, resync } from '../../../database/executor.ts'
import { type Attended, attendedTenants, deleteAttended, upsertAttended } from './sql.ts'

/** A mark of our own is believed this long; it is removed only when it is much older, whichever clock is asked. */
const freshMs = 60_000
const removableMs = 5 * 60_000
/** From then on another instance, which believes the mark of a moment before, has asked for it anew. */
const settledMs = 2 * freshMs

export class PendingTenants {
  readonly #catalogue: Database
  readonly #clock: () => Date
  /** By folded id. */
  readonly #touched = new Map<string, number>()
  /** As they were read last: when each was touched, by folded id. */
  readonly #known = new Map<string, string>()
  /** Those in whose database nothing was found to wait, by when they were touched, with a number for each finding. */
  readonly #idle = new Map<string, { touchedAt: string; finding: number }>()
  #findings = 0

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
  invalidate(change: string): void {
    const tenant = changedTenant(change)
    if (change === resync) this.#touched.clear()
    else if (tenant !== null) this.#touched.delete(tenant)
    if (change === resync) this.#idle.clear()
    else if (tenant !== null) this.#idle.delete(tenant)
  }

  async marked(): Promise<string[]> {
    return (await this.#read()).map(({ tenantId }) => tenantId)
  }

  /** Those of the marked whose database has to be looked at: the others were idle, and come back when they are not. */
  async busy(): Promise<string[]> {
    return (await this.#read()).filter((each) => !this.#isIdle(each)).map(({ tenantId }) => tenantId)
  }

  /** Something was written to the tenant's database. */
  rouse(tenantId: string): void {
    this.#idle.delete(foldTenantId(tenantId))
  }

  /**
   * Nothing waits in this tenant's database. It is not opened again before its mark may go, unless other instances may
   * write to it and be gone without having touched the mark.
   */
  rest(tenantId: string): void {
    const key = foldTenantId(tenantId)
    const touchedAt = this.#known.get(key)
    if (touchedAt === undefined) return
    const isSettled = this.#clock().getTime() - Date.parse(touchedAt) >= settledMs
    if (isSettled || this.#catalogue.dialect === 'sqlite')
      this.#idle.set(key, { touchedAt, finding: ++this.#findings })
  }

  /** Which finding it was that nothing waits there, `null` while something may. */
  idleFinding(tenantId: string): number | null {
    return this.#idle.get(foldTenantId(tenantId))?.finding ?? null
  }

  /** For a database in which nothing waits. */
  async leave(tenantId: string): Promise<void> {
    const beforeMs = this.#clock().getTime() - removableMs
    const touchedAt = this.#known.get(foldTenantId(tenantId))
    if (touchedAt !== undefined && Date.parse(touchedAt) >= beforeMs) return
    const before = new Date(beforeMs).toISOString()
    await this.#catalogue.transaction((transaction) =>
      deleteAttended(new CatalogueData(transaction), tenantId, before),
    )
  }

  async #read(): Promise<Attended[]> {
    const rows = await attendedTenants(new CatalogueData(this.#catalogue.executor))
    this.#known.clear()
    for (const { tenantId, touchedAt } of rows) this.#known.set(foldTenantId(tenantId), touchedAt)
    for (const key of this.#idle.keys()) if (!this.#known.has(key)) this.#idle.delete(key)
    return rows
  }

  /** One whose mark may go is looked at once more. */
  #isIdle({ tenantId, touchedAt }: Attended): boolean {
    const isYoung = this.#clock().getTime() - Date.parse(touchedAt) < removableMs
    return isYoung && this.#idle.get(foldTenantId(tenantId))?.touchedAt === touchedAt
  }

  async #mark(tenantId: string, now: number): Promise<void> {
    await this.#catalogue.transaction((transaction) =>
      upsertAttended(new CatalogueData(transaction), tenantId, new Date(now).toISOString()),
    )
    this.#touched.set(foldTenantId(tenantId), now)
  }
}
