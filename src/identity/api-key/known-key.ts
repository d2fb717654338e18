/** An API key as an instance keeps it in memory. */
import type { BlockList } from 'node:net'
import { attributeSet, type DeclaredAttributes } from '../../core/attributes.ts'
import type { Actor } from '../../core/context.ts'
import { parseNetwork } from '../../core/network.ts'
import type { Permission, PermissionSet, Permissions } from '../../core/permission.ts'
import type { InstallationData } from '../../database/data.ts'
import type { RoleDirectory } from '../role/directory.ts'
import { permissionsOf } from '../role/grant.ts'
import type { UserDirectory } from '../user/directory.ts'
import { type ApiKeyRow, findApiKey, networksOf } from './sql.ts'

export interface KnownKey {
  readonly actor: Actor
  /** The user for whom it acts; `null` for nobody. */
  readonly actsFor: string | null
  /** Infinite for a key that does not expire. */
  readonly expiresAtMs: number
  /** `null` for any address. */
  readonly networks: readonly BlockList[] | null
  /** The address that was allowed last: it is not compared with the networks again. */
  allowedAddress: string | null
  /** When a use was last recorded, and when the last refusal of an address. Both are recorded at most once a minute. */
  usedAtMs: number
  refusedAtMs: number
}

export interface KnownKeyParts {
  roles: RoleDirectory
  known: UserDirectory
  /** Called after the features are created. */
  permissions: () => Permissions
  attributes: () => DeclaredAttributes
}

export function toKnownKey(row: ApiKeyRow, parts: KnownKeyParts): KnownKey {
  const { acts_for: actsFor } = row
  const own = new Set<Permission>(permissionsOf(row, parts.permissions()))
  return {
    actor: {
      id: row.id,
      userName: `apiKey:${row.name}`,
      tenantId: row.tenant_id,
      credential: { kind: 'apiKey', keyId: row.id, actsFor },
      roles: [],
      permissions: actsFor === null ? own : sharedPermissions(own, actsFor, parts),
      attributes:
        actsFor === null
          ? attributeSet(parts.attributes(), row.attributes)
          : parts.known.attributesOf(actsFor),
      impersonator: null,
    },
    actsFor,
    expiresAtMs: row.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(row.expires_at),
    networks: networksOf(row)?.flatMap((text) => parseNetwork(text) ?? []) ?? null,
    allowedAddress: null,
    usedAtMs: row.last_used_at === null ? Number.NEGATIVE_INFINITY : Date.parse(row.last_used_at),
    refusedAtMs: Number.NEGATIVE_INFINITY,
  }
}

/** @returns `null` for a key that was revoked */
export async function findKnownKey(
  catalogue: InstallationData,
  id: string,
  parts: KnownKeyParts,
): Promise<KnownKey | null> {
  const row = await findApiKey(catalogue, id)
  return row === null ? null : toKnownKey(row, parts)
}

/** @returns the permissions of the key that its user has as well, at the moment of each call */
function sharedPermissions(
  own: ReadonlySet<Permission>,
  userId: string,
  { roles, known }: KnownKeyParts,
): PermissionSet {
  const userHas = (permission: Permission): boolean => {
    const user = known.peek(userId)
    return user?.isActive === true && roles.permissionsOf(user.tenantId, user.roles).has(permission)
  }
  return { has: (permission) => own.has(permission) && userHas(permission) }
}
