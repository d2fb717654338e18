/** Finds which tenants a queue's worker serves from a database: active tenants whose rows are in it. */

import type { Database } from '../../database/executor.ts'
import type { Shared, Tenant } from '../context.ts'
import type { Lease } from '../tenant/database-state.ts'
import type { TenantDirectory } from '../tenant/directory.ts'

/** Stands for the catalogue's database in place of a tenant's id. */
export const catalogueKey = ''

export class ServedTenants {
  readonly #shared: Shared
  readonly #directory: TenantDirectory

  constructor(shared: Shared, directory: TenantDirectory) {
    this.#shared = shared
    this.#directory = directory
  }

  /** @returns `null` for an unknown id; without waiting when the tenant is cached */
  find(id: string): Tenant | null | Promise<Tenant | null> {
    return this.#directory.byId(id)
  }

  /** Whether the tenant is active. Work of an inactive tenant waits until the tenant is active again. */
  async isActive(id: string): Promise<boolean> {
    const found = this.find(id)
    const tenant = found instanceof Promise ? await found : found
    return tenant?.isActive === true
  }

  async activeOf(ids: Iterable<string>): Promise<Set<string>> {
    const active = new Set<string>()
    for (const id of new Set(ids)) if (await this.isActive(id)) active.add(id)
    return active
  }

  /** Whether the tenant is about to be moved to another database: until then nothing is sent for it. */
  isPaused({ pausedUntil }: Tenant): boolean {
    return pausedUntil !== null && pausedUntil > this.#shared.clock().toISOString()
  }

  /**
   * Whether the tenant's rows are in this database, and are not about to be moved. Rows that a move has left, and rows
   * of an import in progress, look like pending work but are not.
   */
  async areRowsIn(database: Database, id: string): Promise<boolean> {
    const tenant = await this.find(id)
    if (tenant === null || this.isPaused(tenant)) return false
    return this.#shared.tenantDatabases.holds(tenant, database)
  }

  /** @returns the tenants that are active and whose rows are in this database */
  async servedOf(database: Database, ids: Iterable<string>): Promise<Set<string>> {
    const served = await this.activeOf(ids)
    for (const id of served) if (!(await this.areRowsIn(database, id))) served.delete(id)
    return served
  }

  /** @param key a tenant's id, or `catalogueKey` @throws ServiceError `unavailable`; Error for an unknown id */
  async lease(key: string): Promise<Lease> {
    if (key === catalogueKey) return { database: this.#shared.catalogueDatabase, release: () => undefined }
    const tenant = await this.find(key)
    if (tenant === null) throw new Error(`There is no tenant ${key}.`)
    return this.#shared.tenantDatabases.lease(tenant)
  }
}
