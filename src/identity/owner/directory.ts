/** Caches what the owners of subscriptions and rules may do, so that a delivery needs no query for its owner. */
import type { DeclaredAttributes } from '../../core/attributes.ts'
import { keyOwner, type Owned, type Owners, type PresentOwner, userOwner } from '../../core/owner.ts'
import type { Permission, Permissions } from '../../core/permission.ts'
import { changedTenant } from '../../core/tenant/directory.ts'
import type { InstallationData } from '../../database/data.ts'
import { resync } from '../../database/executor.ts'
import { LruMap } from '../../database/lru-map.ts'
import { type LiveApiKey, liveApiKeys } from '../api-key/live.ts'
import type { RoleDirectory } from '../role/directory.ts'
import { type ActiveUser, activeUsers } from '../user/active.ts'
import { ownerChangePrefix } from './change.ts'

const maxCachedOwners = 20_000
/** The most remembered owners that are deleted, deactivated or revoked, and still named by subscriptions or rules. */
const maxGoneOwners = 5000
/** The most owners that one statement reads. */
const maxRead = 500

interface KnownOwner {
  tenantId: string
  present: PresentOwner
  /** The roles on which the rights depend. */
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
  attributes: () => DeclaredAttributes
}

export class OwnerDirectory implements Owners {
  readonly #parts: Parts
  readonly #owners = new LruMap<string, KnownOwner>(maxCachedOwners)
  readonly #gone = new LruMap<string, true>(maxGoneOwners)
  /** Grows with each announced change: owners that were read before the change are not cached. */
  #generation = 0

  constructor(parts: Parts) {
    this.#parts = parts
  }

  peek({ tenantId, owner }: Owned & { owner: string }): PresentOwner | null | undefined {
    const known = this.#owners.peek(owner)
    if (known === undefined) return this.#gone.peek(owner) === undefined ? undefined : null
    return this.#parts.roles.knows(known.tenantId, known.roles) ? this.#rightsIn(tenantId, known) : undefined
  }

  async load(owned: readonly (Owned & { owner: string })[]): Promise<(PresentOwner | null)[]> {
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
    this.#gone.clear() // the import of a tenant's archive brings its users back
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

  /** @returns `null` also for an owner of another tenant, whom an imported subscription may name */
  #rightsIn(tenantId: string, known: KnownOwner | null): PresentOwner | null {
    const isLive = known !== null && known.expiresAtMs > this.#parts.clock().getTime()
    return isLive && known.tenantId === tenantId ? known.present : null
  }

  async #read(owners: readonly string[]): Promise<[owner: string, known: KnownOwner][]> {
    const { catalogue, permissions, attributes } = this.#parts
    const declared = { permissions: permissions(), attributes: attributes() }
    const users = await activeUsers(catalogue, idsAfter(userOwner(''), owners), declared.attributes)
    const keys = await liveApiKeys(catalogue, idsAfter(keyOwner(''), owners), declared)
    const actedFor = await activeUsers(
      catalogue,
      keys.flatMap(({ actsFor }) => actsFor ?? []),
      declared.attributes,
    )
    return [
      ...users.map((user): [string, KnownOwner] => [userOwner(user.id), this.#knownUser(user)]),
      ...keys.flatMap((key): [string, KnownOwner][] => {
        const known = this.#knownKey(key, actedFor)
        return known === null ? [] : [[keyOwner(key.id), known]]
      }),
    ]
  }

  #knownUser({ id, tenantId, userName, roles, attributes }: ActiveUser): KnownOwner {
    const isAdmin = roles.includes('Admin')
    const permissions = this.#parts.roles.permissionsOf(tenantId, roles)
    const present = { id, userName, roles, userId: id, attributes, isAdmin, permissions }
    return { tenantId, present, roles, expiresAtMs: Number.POSITIVE_INFINITY }
  }

  /** @returns `null` for a key that acts for a user who is deleted or deactivated */
  #knownKey(key: LiveApiKey, actedFor: readonly ActiveUser[]): KnownOwner | null {
    const { id, name, tenantId, expiresAtMs, actsFor, attributes } = key
    const own = new Set(key.permissions)
    const itself = { id, userName: `apiKey:${name}`, roles: [], isAdmin: false }
    if (actsFor === null) {
      const present = { ...itself, userId: null, attributes, permissions: own }
      return { tenantId, present, roles: [], expiresAtMs }
    }
    const user = actedFor.find((each) => each.id === actsFor && each.tenantId === tenantId)
    if (user === undefined) return null
    const ofUser = this.#parts.roles.permissionsOf(tenantId, user.roles)
    const has = (permission: Permission) => own.has(permission) && ofUser.has(permission)
    const present = { ...itself, userId: actsFor, attributes: user.attributes, permissions: { has } }
    return { tenantId, present, roles: user.roles, expiresAtMs }
  }
}

/** @param prefix of the owners of one kind @returns their ids */
function idsAfter(prefix: string, owners: readonly string[]): string[] {
  return owners.filter((owner) => owner.startsWith(prefix)).map((owner) => owner.slice(prefix.length))
}
