/** Caches what the roles of tenants grant, so that a request needs no query for its permissions. */
import {
  type ApplicationRoles,
  builtInRoles,
  type Permission,
  type PermissionSet,
  type Permissions,
} from '../../core/permission.ts'
import { foldTenantId } from '../../core/tenant/tenant-id.ts'
import type { InstallationData } from '../../database/data.ts'
import { resync } from '../../database/executor.ts'
import { LruMap } from '../../database/lru-map.ts'
import { rowsOfApplication } from './application-role.ts'
import { builtInRole, foldRoleName, permissionsOf } from './grant.ts'
import { rolesOfTenant } from './sql.ts'

const maxCachedTenants = 20_000

/** The announcement that a role of a tenant has changed; its case-folded id follows. */
const changePrefix = 'role:'

export function roleChange(tenantId: string): string {
  return `${changePrefix}${foldTenantId(tenantId)}`
}

interface TenantRoles {
  tenantId: string
  /** By case-folded name of the role. */
  granted: ReadonlyMap<string, ReadonlySet<string>>
  /** The generation in which they were read. */
  generation: number
}

export class RoleDirectory {
  readonly #catalogue: InstallationData
  readonly #permissions: () => Permissions
  readonly #application: () => ApplicationRoles
  /** By case-folded id of the tenant. Stale roles stay until they are read again: requests in progress need them. */
  readonly #tenants = new LruMap<string, TenantRoles>(maxCachedTenants)
  /** The reads in progress, by case-folded id of the tenant. */
  readonly #loading = new Map<string, Promise<void>>()
  /** Grows when announcements of changes may have been lost: roles of an earlier generation are read again. */
  #generation = 0

  /** @param declared called after the features are created */
  constructor(
    catalogue: InstallationData,
    declared: { permissions: () => Permissions; applicationRoles: () => ApplicationRoles },
  ) {
    this.#catalogue = catalogue
    this.#permissions = declared.permissions
    this.#application = declared.applicationRoles
  }

  /** The permissions that the roles grant at the moment of each question. To be called after `load`. */
  permissionsOf(tenantId: string, roles: readonly string[]): PermissionSet {
    const builtIn = builtInRoles
      .filter((role) => roles.includes(role))
      .map((role) => this.#permissions().ofRole(role, tenantId))
    const own = ownRoles(roles).map(foldRoleName)
    const [only] = builtIn
    if (own.length === 0 && builtIn.length === 1 && only !== undefined) return only
    const key = foldTenantId(tenantId)
    const has = (permission: Permission): boolean =>
      builtIn.some((set) => set.has(permission)) ||
      own.some((name) => this.#tenants.peek(key)?.granted.get(name)?.has(permission) === true)
    return { has }
  }

  /** Whether `permissionsOf` needs no `load`. */
  knows(tenantId: string, roles: readonly string[]): boolean {
    if (ownRoles(roles).length === 0) return true
    const key = foldTenantId(tenantId)
    return !this.#loading.has(key) && this.#tenants.peek(key)?.generation === this.#generation
  }

  /** @returns `null` when what the roles grant is known, which is the usual case @throws DatabaseUnavailable */
  load(tenantId: string, roles: readonly string[]): Promise<void> | null {
    if (this.knows(tenantId, roles)) return null
    const key = foldTenantId(tenantId)
    return this.#loading.get(key) ?? this.#read(key, tenantId)
  }

  /** Resolves when the change is applied. */
  async invalidate(change: string): Promise<void> {
    if (change === resync) this.#generation++
    if (!change.startsWith(changePrefix)) return
    const key = change.slice(changePrefix.length)
    await this.#loading.get(key)?.catch(() => undefined) // it may have begun before the change
    const tenant = this.#tenants.peek(key)
    if (tenant !== undefined) await this.#read(key, tenant.tenantId)
  }

  #read(key: string, tenantId: string): Promise<void> {
    const reading = this.#readNow(key, tenantId).finally(() => {
      if (this.#loading.get(key) === reading) this.#loading.delete(key)
    })
    this.#loading.set(key, reading)
    return reading
  }

  async #readNow(key: string, tenantId: string): Promise<void> {
    const generation = this.#generation
    try {
      const stored = await rolesOfTenant(this.#catalogue.ofTenant(tenantId))
      const rows = [...rowsOfApplication(tenantId, this.#application()), ...stored]
      const granted = new Map(
        rows.map((row) => [row.name_key, new Set(permissionsOf(row, this.#permissions()))]),
      )
      this.#tenants.set(key, { tenantId, granted, generation })
    } catch (error) {
      this.#tenants.delete(key) // the cached roles may grant permissions that were revoked
      throw error
    }
  }
}

function ownRoles(roles: readonly string[]): string[] {
  return roles.filter((role) => builtInRole(role) === null)
}
