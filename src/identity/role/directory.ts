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
import { RefreshedCache } from '../refreshed-cache.ts'
import { rowsOfApplication } from './application-role.ts'
import { builtInRole, foldRoleName, permissionsOf } from './grant.ts'
import { rolesOfTenant } from './sql.ts'

const maxCachedTenants = 20_000

/** The announcement that a role of a tenant has changed; its case-folded id follows. */
const changePrefix = 'role:'

export function roleChange(tenantId: string): string {
  return `${changePrefix}${foldTenantId(tenantId)}`
}

/** What the roles of a tenant grant, by the case-folded name of the role. */
type Granted = ReadonlyMap<string, ReadonlySet<string>>

export class RoleDirectory {
  readonly #permissions: () => Permissions
  /** By case-folded id of the tenant. */
  readonly #tenants: RefreshedCache<Granted>

  /** @param declared called after the features are created */
  constructor(
    catalogue: InstallationData,
    declared: { permissions: () => Permissions; applicationRoles: () => ApplicationRoles },
  ) {
    this.#permissions = declared.permissions
    this.#tenants = new RefreshedCache<Granted>({
      maxSize: maxCachedTenants,
      changePrefix,
      read: async (tenantId) => {
        const stored = await rolesOfTenant(catalogue.ofTenant(tenantId))
        const rows = [...rowsOfApplication(tenantId, declared.applicationRoles()), ...stored]
        return new Map(rows.map((row) => [row.name_key, new Set(permissionsOf(row, declared.permissions()))]))
      },
    })
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
      own.some((name) => this.#tenants.peek(key)?.get(name)?.has(permission) === true)
    return { has }
  }

  /** Whether `permissionsOf` needs no `load`. */
  knows(tenantId: string, roles: readonly string[]): boolean {
    return ownRoles(roles).length === 0 || this.#tenants.knows(foldTenantId(tenantId))
  }

  /** @returns `null` when what the roles grant is known, which is the usual case @throws DatabaseUnavailable */
  load(tenantId: string, roles: readonly string[]): Promise<void> | null {
    return ownRoles(roles).length === 0 ? null : this.#tenants.load(tenantId, foldTenantId(tenantId))
  }

  /** Resolves when the change is applied. */
  invalidate(change: string): Promise<void> {
    return this.#tenants.invalidate(change)
  }
}

function ownRoles(roles: readonly string[]): string[] {
  return roles.filter((role) => builtInRole(role) === null)
}
