/** Which tenants are served from a database, and which database belongs to a tenant. */

import type { Database } from '../../database/executor.ts'
import type { Lease, Shared, Tenant } from '../context.ts'
import type { TenantDirectory } from '../tenant/directory.ts'

/** In place of a tenant's id: the catalogue's database. */
export const catalogueKey = ''

export class ServedTenants {
  readonly #shared: Shared
  readonly #directory: TenantDirectory

  constructor(shared: Shared, directory: TenantDirectory) {
    this.#shared = shared
    this.#directory = directory
  }

  /** @returns `null` for an id that no tenant has; without waiting where the tenant is remembered */
  find(id: string): Tenant | null | Promise<Tenant | null> {
    return this.#directory.byId(id)
  }

  /** Work of other tenants waits until they are active again. */
  async isActive(id: string): Promise<boolean> {
    const found = this.find(id)
    const tenant = found instanceof Promise ? await found : found
    return tenant?.isActive === true
  }

  async inactiveOf(ids: readonly string[]): Promise<Set<string>> {
    const inactive = new Set<string>()
    for (const id of ids) if (!(await this.isActive(id))) inactive.add(id)
    return inactive
  }

  /** Nothing is sent for a tenant that is about to be moved. */
  isPaused({ pausedUntil }: Tenant): boolean {
    return pausedUntil !== null && pausedUntil > this.#shared.clock().toISOString()
  }

  /**
   * Whether the tenant's rows are in this database, and are not about to be moved. What a move has left there, and
   * what an import brings, looks like waiting work and is none.
   */
  async areRowsIn(database: Database, id: string): Promise<boolean> {
    const tenant = await this.find(id)
    if (tenant === null || this.isPaused(tenant)) return false
    return this.#shared.tenantDatabases.holds(tenant, database)
  }

  /** @returns those of the tenants that are active and have their rows in this database */
  async servedOf(database: Database, ids: Iterable<string>): Promise<Set<string>> {
    const served = new Set<string>()
    for (const id of new Set(ids)) {
      if ((await this.isActive(id)) && (await this.areRowsIn(database, id))) served.add(id)
    }
    return served
  }

  /** @param key a tenant's id, or `catalogueKey` @throws ServiceError `unavailable`; Error for an unknown tenant */
  async lease(key: string): Promise<Lease> {
    if (key === catalogueKey) return { database: this.#shared.catalogueDatabase, release: () => undefined }
    const tenant = await this.find(key)
    if (tenant === null) throw new Error(`The tenant ${key} is gone.`)
    return this.#shared.tenantDatabases.lease(tenant)
  }
}
