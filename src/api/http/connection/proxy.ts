/** Who calls, and by which name, where proxies stand before us: for an upgrade what Fastify tells of a request. */
import type { IncomingMessage } from 'node:http'
import { all, compile } from '@fastify/proxy-addr'
import { readClientAddress } from '../../../core/network.ts'

export interface RequestOrigin {
  address: string
  /** As in the header `Host`. */
  host: string
}

/** @param trustProxy the setting: everybody, nobody, or these addresses and networks */
export function originFinder(trustProxy: boolean | string[]): (request: IncomingMessage) => RequestOrigin {
  const isTrusted = trustedProxies(trustProxy)
  return (request) => {
    keepForwardedAddresses(request)
    const { headers, socket } = request
    const address = socket.remoteAddress ?? ''
    const forwarded = String(headers['x-forwarded-host'] ?? '')
    const isForwarded = forwarded !== '' && isTrusted(address, 0)
    return {
      address: all(request, isTrusted).at(-1) ?? address,
      host: isForwarded ? forwarded.slice(forwarded.lastIndexOf(',') + 1).trim() : (headers.host ?? ''),
    }
  }
}

/** @returns whether what an address says of others is believed */
export function trustedProxies(trustProxy: boolean | string[]): (address: string, hop: number) => boolean {
  return typeof trustProxy === 'boolean' ? () => trustProxy : compile(trustProxy)
}

/**
 * Leaves nothing but addresses in `X-Forwarded-For`. Behind the first entry, from the right, that is none, nothing is
 * believed: only a sender writes such a text, and everything before it is the sender's as well.
 */
export function keepForwardedAddresses({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const given = headers[forwardedFor]
  if (given === undefined) return
  const addresses: string[] = []
  for (const entry of String(given).split(',').toReversed()) {
    const address = readClientAddress(entry.trim())
    if (address === null) break
    addresses.unshift(address)
  }
  if (addresses.length === 0) delete headers[forwardedFor]
  else headers[forwardedFor] = addresses.join(', ')
}

const forwardedFor = 'x-forwarded-for'
