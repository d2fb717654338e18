/** Caches users, because requests need their attributes, and API keys that act for a user need its roles. */
import {
  type AttributeSet,
  type Attributes,
  type DeclaredAttributes,
  valuesOf,
} from '../../core/attributes.ts'
import { userOwner } from '../../core/owner.ts'
import type { InstallationData } from '../../database/data.ts'
import { ownerChangePrefix } from '../owner/change.ts'
import { RefreshedCache } from '../refreshed-cache.ts'
import { type Account, rolesOf } from './account.ts'
import { findAccount } from './sql.ts'

const maxCachedUsers = 20_000

export interface KnownUser {
  readonly id: string
  readonly tenantId: string
  readonly userName: string
  readonly isActive: boolean
  readonly roles: readonly string[]
  readonly attributes: Attributes
}

/** The users by their ids. */
export class UserDirectory extends RefreshedCache<KnownUser> {
  readonly #declared: () => DeclaredAttributes

  /** @param declared called after the features are created */
  constructor(catalogue: InstallationData, declared: () => DeclaredAttributes) {
    super({
      maxSize: maxCachedUsers,
      changePrefix: `${ownerChangePrefix}${userOwner('')}`,
      read: async (tenantId, id) => {
        const account = await findAccount(catalogue.ofTenant(tenantId), id)
        return account === null ? null : toKnownUser(tenantId, account, declared())
      },
    })
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
}

function toKnownUser(tenantId: string, account: Account, declared: DeclaredAttributes): KnownUser {
  return {
    id: account.id,
    tenantId,
    userName: account.user_name,
    isActive: account.is_active,
    roles: rolesOf(account),
    attributes: declared.stored(account.attributes),
  }
}
