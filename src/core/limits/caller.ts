/** The caller to whom every limit attributes a request: its tenant, and a user, an API key or else the network of the client. */
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
 * The path of work that a request has been admitted to already: tenants take turns, and within each its callers. How much of
 * it a network may have is bounded where it is admitted.
 */
export function callerPath(tenantId: string, actor: { id: string } | null, address: string): Path {
  return [tenantId, callerKey(actor, address)]
}

/**
 * The paths of work in a queue whose flows take turns. Strangers, who name any tenant, wait by network and by tenant:
 * neither one network with many tenants nor many networks with one tenant have more than a part of the turns.
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
