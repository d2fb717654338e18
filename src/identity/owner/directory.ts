/** Caches what the owners of subscriptions and rules may do, so that a delivery needs no query for its owner. */
import { keyOwner, type Owned, type Owners, type Rights, userOwner } from '../../core/owner.ts'
import type { Permission, PermissionSet, Permissions } from '../../core/permission.ts'
import { changedTenant } from '../../core/tenant/directory.ts'
import type { InstallationData } from '../../database/data.ts'
import { resync } from '../../database/executor.ts'
import { LruMap } from '../../database/lru-map.ts'
import { liveApiKeys } from '../api-key/live.ts'
import type { RoleDirectory } from '../role/directory.ts'
import { activeUsers } from '../user/active.ts'
import { ownerChangePrefix } from './change.ts'

const maxCachedOwners = 20_000
/** Deleted, deactivated or revoked, and still named. */
const maxGoneOwners = 5000
/** The most that one statement reads. */
const maxRead = 500

interface KnownOwner {
  tenantId: string
  rights: Rights
  /** The roles that the rights follow. */
  roles: readonly string[]
  /** Infinite for a user, and for a key that does not expire. */
  expiresAtMs: number
}

interface Parts {
  catalogue: InstallationData
  clock: () => Date
  roles: RoleDirectory
  /** Called after the features are created. */
  permissions: () => Permissions
}

export class OwnerDirectory implements Owners {
  readonly #parts: Parts
  readonly #owners = new LruMap<string, KnownOwner>(maxCachedOwners)
  readonly #gone = new LruMap<string, true>(maxGoneOwners)
  /** Grows with each change: what was read before is not cached. */
  #generation = 0

  constructor(parts: Parts) {
    this.#parts = parts
  }

  peek({ tenantId, owner }: Owned & { owner: string }): Rights | null | undefined {
    const known = this.#owners.peek(owner)
    if (known === undefined) return this.#gone.peek(owner) === undefined ? undefined : null
    return this.#parts.roles.knows(known.tenantId, known.roles) ? this.#rightsIn(tenantId, known) : undefined
  }

  async load(owned: readonly (Owned & { owner: string })[]): Promise<(Rights | null)[]> {
    const found = new Map<string, KnownOwner>()
    const names = [...new Set(owned.map(({ owner }) => owner))]
    const generation = this.#generation
    for (let from = 0; from < names.length; from += maxRead)
      for (const [owner, known] of await this.#read(names.slice(from, from + maxRead)))
        found.set(owner, known)
    if (generation === this.#generation) this.#cache(names, found)
    const { roles } = this.#parts
    for (const known of found.values()) await roles.load(known.tenantId, known.roles)
    return owned.map(({ tenantId, owner }) => this.#rightsIn(tenantId, found.get(owner) ?? null))
  }

  invalidate(change: string): void {
    const isResync = change === resync
    const owner = change.startsWith(ownerChangePrefix) ? change.slice(ownerChangePrefix.length) : null
    if (!isResync && owner === null && changedTenant(change) === null) return
    this.#generation++
    this.#gone.clear() // the archive of a tenant brings its users back
    if (isResync) this.#owners.clear()
    else if (owner !== null) this.#owners.delete(owner)
  }

  #cache(owners: readonly string[], found: ReadonlyMap<string, KnownOwner>): void {
    for (const owner of owners) {
      const known = found.get(owner)
      if (known === undefined) this.#gone.set(owner, true)
      else this.#owners.set(owner, known)
    }
  }

  /** An archive may name owners of another tenant. */
  #rightsIn(tenantId: string, known: KnownOwner | null): Rights | null {
    const isLive = known !== null && known.expiresAtMs > this.#parts.clock().getTime()
    return isLive && known.tenantId === tenantId ? known.rights : null
  }

  async #read(owners: readonly string[]): Promise<[owner: string, known: KnownOwner][]> {
    const { catalogue, permissions, roles: directory } = this.#parts
    const users = await activeUsers(catalogue, idsAfter(userOwner(''), owners))
    const keys = await liveApiKeys(catalogue, idsAfter(keyOwner(''), owners), permissions())
    const actedFor = await activeUsers(
      catalogue,
      keys.flatMap(({ actsFor }) => actsFor ?? []),
    )
    return [
      ...users.map(({ id, tenantId, roles }): [string, KnownOwner] => {
        const isAdmin = roles.includes('Admin')
        const rights = { isAdmin, permissions: directory.permissionsOf(tenantId, roles) }
        return [userOwner(id), { tenantId, rights, roles, expiresAtMs: Number.POSITIVE_INFINITY }]
      }),
      ...keys.flatMap(({ id, tenantId, expiresAtMs, actsFor, ...key }): [string, KnownOwner][] => {
        const own = new Set(key.permissions)
        if (actsFor === null)
          return [[keyOwner(id), { tenantId, rights: rightsOf(own), roles: [], expiresAtMs }]]
        const user = actedFor.find((each) => each.id === actsFor && each.tenantId === tenantId)
        if (user === undefined) return [] // deactivated
        const { roles } = user
        const ofUser = directory.permissionsOf(tenantId, roles)
        const has = (permission: Permission) => own.has(permission) && ofUser.has(permission)
        return [[keyOwner(id), { tenantId, rights: rightsOf({ has }), roles, expiresAtMs }]]
      }),
    ]
  }
}

function rightsOf(permissions: PermissionSet): Rights {
  return { isAdmin: false, permissions }
}

function idsAfter(prefix: string, owners: readonly string[]): string[] {
  return owners.filter((owner) => owner.startsWith(prefix)).map((owner) => owner.slice(prefix.length))
}
