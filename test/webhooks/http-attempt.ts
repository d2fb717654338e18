import { BlockList } from 'node:net'
import type { AddressGuard } from '../../src/core/outgoing/address-guard.ts'
import type { AddressPolicy } from '../../src/core/outgoing/ip-address.ts'
import {
  attemptHttp,
  type HttpAttempt,
  type HttpRequest,
} from '../../src/webhooks/outgoing/send/http-attempt.ts'

export const development: AddressPolicy = { loopback: true, http: true, allowedNetworks: [] }

/** As in production, with these addresses allowed. */
export function productionBut(...addresses: string[]): AddressPolicy {
  const network = new BlockList()
  for (const address of addresses) network.addAddress(address, address.includes(':') ? 'ipv6' : 'ipv4')
  return { loopback: false, http: false, allowedNetworks: [network] }
}

/** Sends a small body. A test whose attempt ends by its deadline states one. */
export function sendTo(
  url: string,
  guard: AddressGuard,
  more: Partial<HttpRequest> = {},
): Promise<HttpAttempt> {
  const headers = { 'Content-Type': 'application/json' }
  return attemptHttp({ url, headers, body: '{"a":1}', deadlineMs: 60_000, ...more }, guard)
}
