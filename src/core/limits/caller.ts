/** Finds the caller to whom limits attribute a request: a user, an API key, or else the network of the client. */
import { clientNetwork } from '../network.ts'
import type { Path } from './turn-queue.ts'

export interface Caller {
  /** Empty before the tenant is known. */
  tenantId: string
  /** The id of a user or of an API key; `null` for a caller without a token. */
  userId: string | null
  network: string
}

export function callerOf(tenantId: string, actor: { id: string } | null, address: string): Caller {
  return { tenantId, userId: actor?.id ?? null, network: clientNetwork(address) }
}

/** @returns the id of the user or API key, or the network of a client without one */
export function callerKey(actor: { id: string } | null, address: string): string {
  return actor?.id ?? clientNetwork(address)
}

/**
 * @returns the path in a fair queue for work of an admitted request: tenants take turns, and within a tenant its
 *   callers. Networks have no share here, because admission has limited them already.
 */
export function callerPath(tenantId: string, actor: { id: string } | null, address: string): Path {
  return [tenantId, callerKey(actor, address)]
}

/**
 * @returns the paths in a fair queue for work of a new request. Strangers, who may name any tenant, wait both by
 *   network and by tenant: neither one network with many tenants nor many networks with one tenant get more than
 *   their share.
 * @param tenantId empty before the tenant is known
 * @param address of a client; `null` for work of the service itself
 * @param isKnown whether the account that a caller without a token signs in to was used from this network before
 */
export function callerPaths(
  tenantId: string,
  actor: { id: string } | null,
  address: string | null,
  isKnown = false,
): readonly Path[] {
  if (actor !== null || address === null) return [['known', tenantId, actor?.id ?? '']]
  const network = clientNetwork(address)
  if (isKnown) return [['known by network', network, tenantId]]
  return [
    ['stranger by network', network, tenantId],
    ['stranger by tenant', tenantId, network],
  ]
}
