/** The caller to whom every limit attributes a request: its tenant, and a user, an API key or else the network of the client. */
import { clientNetwork } from '../network.ts'

export interface Caller {
  /** Empty before the tenant is known. */
  tenantId: string
  /** Or of an API key. */
  userId: string | null
  network: string
}

/** The origin of a request or a job. */
interface Requester {
  /** A tenant; `null` for the service itself. */
  readonly owner: string | null
  readonly actor: { id: string } | null
  readonly clientAddress: string | null
}

export function callerOf(tenantId: string, actor: { id: string } | null, address: string): Caller {
  return { tenantId, userId: actor?.id ?? null, network: clientNetwork(address) }
}

/** @returns the id of the user or API key, or the network of a client without one */
export function callerKey(actor: { id: string } | null, address: string): string {
  return actor?.id ?? clientNetwork(address)
}

/** The path of a request in a queue whose tenants, and within each its callers, take turns. */
export function callerPath({ owner, actor, clientAddress }: Requester): [tenantId: string, caller: string] {
  return [owner ?? '', callerKey(actor, clientAddress ?? '')]
}
