/** Caches tenants by id and by subdomain, so that most requests need no query for them. */

import type { InstallationData } from '../../database/data.ts'
import { type Executor, resync } from '../../database/executor.ts'
import { LruMap } from '../../database/lru-map.ts'
import { type Context, hostTenantId, type Tenant } from '../context.ts'
import { installation } from '../installation.ts'
import { findTenant, findTenantBySubdomain, lockTenant } from './sql.ts'
import { foldTenantId, maxTenantIdLength as maxIdLength } from './tenant-id.ts'

/** Every instance learns of a change within this time. */
export const defaultChangePropagationMs = 1500

/** The number of cached ids, and of cached subdomains, including those that no tenant has. */
const maxCached = 50_000

/** The beginning of an announcement that a tenant has changed. The case-folded id follows. */
const changePrefix = 'tenant:'

export function tenantChange(id: string): string {
  return `${changePrefix}${foldTenantId(id)}`
}

/** @returns the case-folded id of the tenant that has changed, or `null` for another announcement */
export function changedTenant(change: string): string | null {
  return change.startsWith(changePrefix) ? change.slice(changePrefix.length) : null
}

export class TenantDirectory {
  readonly #catalogue: InstallationData
  readonly #byId = new LruMap<string, Tenant | null>(maxCached)
  readonly #bySubdomain = new LruMap<string, Tenant | null>(maxCached)
  /** Grows with each change, so that a look-up that began before it is not cached. */
  #generation = 0

  constructor(catalogue: InstallationData) {
    this.#catalogue = catalogue
  }

  /** @returns `null` for an unknown id; without waiting when it is cached */
  byId(id: string): Tenant | null | Promise<Tenant | null> {
    const key = foldTenantId(id)
    if (key.length > maxIdLength || key.includes('\0')) return null // PostgreSQL refuses null characters
    const known = this.#byId.peek(key)
    return known !== undefined ? known : this.#load(this.#byId, key, findTenant)
  }

  /** @param label lower case */
  bySubdomain(label: string): Tenant | null | Promise<Tenant | null> {
    if (label.length > maxIdLength) return null
    const known = this.#bySubdomain.peek(label)
    return known !== undefined ? known : this.#load(this.#bySubdomain, label, findTenantBySubdomain)
  }

  async host(): Promise<Tenant> {
    const tenant = await this.byId(hostTenantId)
    if (tenant === null) throw new Error('The host tenant is missing: was the database migrated?')
    return tenant
  }

  /** Removes entries that an announced change makes stale. */
  invalidate(change: string): void {
    const tenant = changedTenant(change)
    if (change !== resync && tenant === null) return
    this.#generation++
    this.#bySubdomain.clear()
    if (tenant === null) this.#byId.clear()
    else this.#byId.delete(tenant)
  }

  async #load(
    cache: LruMap<string, Tenant | null>,
    key: string,
    find: (catalogue: InstallationData, key: string) => Promise<Tenant | null>,
  ): Promise<Tenant | null> {
    const generation = this.#generation
    const tenant = await find(this.#catalogue, key)
    if (generation === this.#generation) cache.set(key, tenant)
    return tenant
  }
}

/** Reads the tenant from the catalogue, without regard to the case of the id. @returns `null` for an unknown id */
export async function lookUpTenant(context: Context, id: string): Promise<Tenant | null> {
  const storable = id.isWellFormed() && !id.includes('\0')
  return storable ? findTenant(registry(context), foldTenantId(id)) : null
}

/**
 * Locks the host tenant until the transaction ends, so that rules about the whole service are checked one at a time.
 */
export async function lockHost(from: Context | Executor): Promise<void> {
  await lockTenant(registry(from), hostTenantId)
}

/** Locks the tenant whose catalogue rows the context has, so that rules about it are checked one at a time. */
export async function lockTenantOf(inside: Context): Promise<void> {
  await lockTenant(registry(inside), foldTenantId(inside.catalogueTenantId))
}

/** Reads the tenant from the catalogue instead of the cache. */
export function currentTenant(from: Context | Executor, id: string): Promise<Tenant | null> {
  return findTenant(registry(from), foldTenantId(id))
}

/** Locks the tenant until the transaction ends. @returns whether it is unchanged since `before` was read */
export async function isUnchanged(transaction: Executor, before: Tenant): Promise<boolean> {
  return (await lockTenant(registry(transaction), foldTenantId(before.id)))?.version === before.version
}

/** @returns the handle for the list of tenants, and of their moves */
export function registry(from: Context | Executor): InstallationData {
  return installation(from, 'the list of tenants belongs to the installation')
}
