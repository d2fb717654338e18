/** Caches users, because requests need their attributes, and API keys that act for a user need its roles. */
import {
  type AttributeSet,
  type Attributes,
  type DeclaredAttributes,
  valuesOf,
} from '../../core/attributes.ts'
import { userOwner } from '../../core/owner.ts'
import type { InstallationData } from '../../database/data.ts'
import { resync } from '../../database/executor.ts'
import { LruMap } from '../../database/lru-map.ts'
import { ownerChangePrefix } from '../owner/change.ts'
import { rolesOf } from './account.ts'
import { findAccount } from './sql.ts'

const maxCachedUsers = 20_000
const changePrefix = `${ownerChangePrefix}${userOwner('')}`

export interface KnownUser {
  readonly id: string
  readonly tenantId: string
  readonly userName: string
  readonly isActive: boolean
  readonly roles: readonly string[]
  readonly attributes: Attributes
}

interface CachedUser {
  user: KnownUser
  /** The generation in which the user was read. */
  generation: number
}

export class UserDirectory {
  readonly #catalogue: InstallationData
  readonly #declared: () => DeclaredAttributes
  /** By id. Stale users stay until they are read again: requests in progress need their attributes. */
  readonly #users = new LruMap<string, CachedUser>(maxCachedUsers)
  readonly #loading = new Map<string, Promise<void>>()
  /** Grows when announcements of changes may have been lost: users of an earlier generation are read again. */
  #generation = 0

  /** @param declared called after the features are created */
  constructor(catalogue: InstallationData, declared: () => DeclaredAttributes) {
    this.#catalogue = catalogue
    this.#declared = declared
  }

  /** @returns the attributes of the user, looked up anew at each use. `load` has to be called before. */
  attributesOf(id: string): AttributeSet {
    return { values: (name) => valuesOf(this.peek(id)?.attributes[name]) }
  }

  /** @returns `null` when the attributes of the user are known, or the application declares none */
  loadAttributes(tenantId: string, id: string): Promise<void> | null {
    return this.#declared().isEmpty ? null : this.load(tenantId, id)
  }

  /** @returns `undefined` for a user that is not cached, or does not exist */
  peek(id: string): KnownUser | undefined {
    return this.#users.peek(id)?.user
  }

  knows(id: string): boolean {
    return !this.#loading.has(id) && this.#users.peek(id)?.generation === this.#generation
  }

  /** @returns `null` when the user is known, which is the usual case @throws DatabaseUnavailable */
  load(tenantId: string, id: string): Promise<void> | null {
    if (this.knows(id)) return null
    return this.#loading.get(id) ?? this.#read(tenantId, id)
  }

  /** Resolves when the change is applied. */
  async invalidate(change: string): Promise<void> {
    if (change === resync) this.#generation++
    if (!change.startsWith(changePrefix)) return
    const id = change.slice(changePrefix.length)
    await this.#loading.get(id)?.catch(() => undefined) // it may have begun before the change
    const known = this.peek(id)
    if (known !== undefined) await this.#read(known.tenantId, id)
  }

  #read(tenantId: string, id: string): Promise<void> {
    const reading = this.#readNow(tenantId, id).finally(() => {
      if (this.#loading.get(id) === reading) this.#loading.delete(id)
    })
    this.#loading.set(id, reading)
    return reading
  }

  async #readNow(tenantId: string, id: string): Promise<void> {
    const generation = this.#generation
    try {
      const account = await findAccount(this.#catalogue.ofTenant(tenantId), id)
      if (account === null) {
        this.#users.delete(id)
        return
      }
      const user = {
        id,
        tenantId,
        userName: account.user_name,
        isActive: account.is_active,
        roles: rolesOf(account),
        attributes: this.#declared().stored(account.attributes),
      }
      this.#users.set(id, { user, generation })
    } catch (error) {
      this.#users.delete(id) // the cached user may have attributes or roles that were removed
      throw error
    }
  }
}
