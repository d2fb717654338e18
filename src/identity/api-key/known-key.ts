/** An API key as an instance keeps it in memory. */
import type { BlockList } from 'node:net'
import type { Actor } from '../../core/context.ts'
import { parseNetwork } from '../../core/network.ts'
import type { Permissions } from '../../core/permission.ts'
import { permissionsOf } from '../role/grant.ts'
import { type ApiKeyRow, networksOf } from './sql.ts'

export interface KnownKey {
  readonly actor: Actor
  /** Infinite for a key that does not expire. */
  readonly expiresAtMs: number
  /** `null` for any address. */
  readonly networks: readonly BlockList[] | null
  /** The address that was allowed last. */
  allowedAddress: string | null
  /** When a use was noted last, and a refusal of an address. */
  usedAtMs: number
  refusedAtMs: number
}

export function toKnownKey(row: ApiKeyRow, declared: Permissions): KnownKey {
  return {
    actor: {
      id: row.id,
      userName: `apiKey:${row.name}`,
      tenantId: row.tenant_id,
      credential: { kind: 'apiKey', keyId: row.id },
      roles: [],
      permissions: new Set(permissionsOf(row, declared)),
      impersonator: null,
    },
    expiresAtMs: row.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(row.expires_at),
    networks: networksOf(row)?.flatMap((text) => parseNetwork(text) ?? []) ?? null,
    allowedAddress: null,
    usedAtMs: row.last_used_at === null ? Number.NEGATIVE_INFINITY : Date.parse(row.last_used_at),
    refusedAtMs: Number.NEGATIVE_INFINITY,
  }
}
