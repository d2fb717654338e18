/**
 * The owners of webhook subscriptions and rules: the user or API key that has made one. A subscription or rule works
 * with the rights that its owner has at present, so that it stops when the owner loses them.
 */
import { type AttributeSet, noAttributes } from './attributes.ts'
import type { Permission, PermissionSet, Permissions } from './permission.ts'

/** The rights that a user or an API key has at present. */
export interface Rights {
  isAdmin: boolean
  permissions: PermissionSet
}

/** An owner with its present rights, and with what access rules of rows compare. */
export interface PresentOwner extends Rights {
  /** The id of a user or an API key; `null` for the administrators of a tenant. */
  id: string | null
  userName: string
  roles: readonly string[]
  /** The user whose own rows it may use: the user itself, or the user for whom an API key acts. */
  userId: string | null
  attributes: AttributeSet
}

/** The right that something requires: that of any user of the tenant, of an administrator, or a permission. */
export type RequiredAccess = 'user' | 'admin' | Permission

export function permits({ isAdmin, permissions }: Rights, access: RequiredAccess): boolean {
  if (access === 'user') return true
  return access === 'admin' ? isAdmin : permissions.has(access)
}

/** A subscription or rule, as something that has an owner. */
export interface Owned {
  tenantId: string
  /** `user:` or `apiKey:` with an id, as it is stored; `null` if it belongs to the administrators of the tenant. */
  owner: string | null
}

type OwnedByOne = Owned & { owner: string }

/** Finds the rights of owners, most of them in a cache. */
export interface Owners {
  /** @returns `null` for an owner that is gone: deleted, deactivated, revoked or expired; `undefined`: not cached */
  peek(owned: OwnedByOne): PresentOwner | null | undefined
  /** @returns the rights in the order of the owners @throws DatabaseUnavailable */
  load(owned: readonly OwnedByOne[]): Promise<(PresentOwner | null)[]>
}

export function userOwner(id: string): string {
  return `user:${id}`
}

export function keyOwner(id: string): string {
  return `apiKey:${id}`
}

/** The rights of every user of the tenant. */
export function rightsOfUsers(permissions: Permissions, tenantId: string): Rights {
  return { isAdmin: false, permissions: permissions.ofRole('User', tenantId) }
}

/** @returns an owner with these rights that is no particular user or key */
export function anonymousOwner(rights: Rights): PresentOwner {
  return { ...rights, id: null, userName: '', roles: [], userId: null, attributes: noAttributes }
}

/**
 * Runs work that asks for the rights of owners inside a transaction, where nothing may wait for another database. If
 * one of them is not cached, the work is undone, the rights are loaded, and the work runs again.
 */
export async function withOwnerRights<T>(
  { owners, permissions }: { owners: Owners; permissions: Permissions },
  work: (rights: OwnerRights) => Promise<T>,
): Promise<T> {
  const rights = new OwnerRights(owners, permissions)
  for (;;) {
    try {
      return await work(rights)
    } catch (error) {
      if (!(error instanceof RightsNotCached)) throw error
      await rights.load(error.owned)
    }
  }
}

class RightsNotCached extends Error {
  readonly owned: readonly OwnedByOne[]

  constructor(owned: readonly OwnedByOne[]) {
    super('The rights of an owner are not cached.')
    this.owned = owned
  }
}

/** The rights of owners during one piece of work. */
export class OwnerRights {
  readonly #owners: Owners
  readonly #permissions: Permissions
  readonly #known = new Map<string, PresentOwner | null>()

  constructor(owners: Owners, permissions: Permissions) {
    this.#owners = owners
    this.#permissions = permissions
  }

  /** Must be called before `of`, and before anything that a second run of the work would repeat. */
  require(all: Iterable<Owned>): void {
    const missing: OwnedByOne[] = []
    for (const owned of all) {
      if (!isOwnedByOne(owned) || this.#known.has(keyOf(owned))) continue
      const rights = this.#owners.peek(owned)
      if (rights === undefined) missing.push(owned)
      else this.#known.set(keyOf(owned), rights)
    }
    if (missing.length > 0) throw new RightsNotCached(missing)
  }

  /** @returns `null` for an owner that is gone */
  of(owned: Owned): PresentOwner | null {
    if (!isOwnedByOne(owned)) return this.#ofAdministrators(owned.tenantId)
    const rights = this.#known.get(keyOf(owned))
    if (rights === undefined) throw new Error('The rights of an owner were not required before.')
    return rights
  }

  async load(owned: readonly OwnedByOne[]): Promise<void> {
    const loaded = await this.#owners.load(owned)
    for (const [index, each] of owned.entries()) this.#known.set(keyOf(each), loaded[index] ?? null)
  }

  #ofAdministrators(tenantId: string): PresentOwner {
    return anonymousOwner({ isAdmin: true, permissions: this.#permissions.ofRole('Admin', tenantId) })
  }
}

function isOwnedByOne(owned: Owned): owned is OwnedByOne {
  return owned.owner !== null
}

function keyOf({ tenantId, owner }: OwnedByOne): string {
  return `${tenantId}/${owner}`
}
