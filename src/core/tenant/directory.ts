/** Tenants by id and by subdomain, remembered, so that a warm request asks no database. */

import type { CatalogueData } from '../../database/data.ts'
import { resync } from '../../database/executor.ts'
import { hostTenantId, type Tenant } from '../context.ts'
import { findTenant, findTenantBySubdomain } from './sql.ts'

/** How many names of each kind are remembered, unknown ones among them. */
const capacity = 50_000
const maxIdLength = 64

/** What is announced when a tenant changes; followed by its folded id. */
const changePrefix = 'tenant:'

export function foldTenantId(id: string): string {
  return id.toLowerCase()
}

export function tenantChange(id: string): string {
  return `${changePrefix}${foldTenantId(id)}`
}

/** @returns the folded id of the tenant of which it tells, or `null` */
export function changedTenant(change: string): string | null {
  return change.startsWith(changePrefix) ? change.slice(changePrefix.length) : null
}

export class TenantDirectory {
  readonly #catalogue: CatalogueData
  readonly #byId = new Map<string, Tenant | null>()
  readonly #bySubdomain = new Map<string, Tenant | null>()
  /** Moves with each change, so that a look-up begun before it is not remembered after it. */
  #generation = 0

  constructor(catalogue: CatalogueData) {
    this.#catalogue = catalogue
  }

  /** @returns `null` for an id that no tenant has; without waiting where it is remembered */
  byId(id: string): Tenant | null | Promise<Tenant | null> {
    const key = foldTenantId(id)
    if (key.length > maxIdLength || key.includes('\0')) return null // PostgreSQL cannot even be asked
    const known = this.#byId.get(key)
    return known !== undefined ? known : this.#load(this.#byId, key, findTenant)
  }

  /** @param label lower case */
  bySubdomain(label: string): Tenant | null | Promise<Tenant | null> {
    if (label.length > maxIdLength) return null
    const known = this.#bySubdomain.get(label)
    return known !== undefined ? known : this.#load(this.#bySubdomain, label, findTenantBySubdomain)
  }

  async host(): Promise<Tenant> {
    const tenant = await this.byId(hostTenantId)
    if (tenant === null) throw new Error('The host tenant is missing: was the database migrated?')
    return tenant
  }

  /** Forgets what an announced change makes stale. */
  invalidate(change: string): void {
    const tenant = changedTenant(change)
    if (change !== resync && tenant === null) return
    this.#generation++
    this.#bySubdomain.clear()
    if (tenant === null) this.#byId.clear()
    else this.#byId.delete(tenant)
  }

  async #load(
    remembered: Map<string, Tenant | null>,
    key: string,
    find: (catalogue: CatalogueData, key: string) => Promise<Tenant | null>,
  ): Promise<Tenant | null> {
    const generation = this.#generation
    const tenant = await find(this.#catalogue, key)
    if (generation === this.#generation) {
      if (remembered.size >= capacity) remembered.clear()
      remembered.set(key, tenant)
    }
    return tenant
  }
}
