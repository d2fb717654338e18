/** Finds the client's address and the host name of an upgrade behind proxies, as Fastify does for requests. */
import type { IncomingMessage } from 'node:http'
import { all, compile } from '@fastify/proxy-addr'
import { readClientAddress } from '../../../core/network.ts'

export interface RequestOrigin {
  address: string
  /** As in the header `Host`. */
  host: string
}

/** @param trustProxy the setting: all, none, or these addresses and networks */
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

/** @returns whether the address is a trusted proxy */
export function trustedProxies(trustProxy: boolean | string[]): (address: string, hop: number) => boolean {
  return typeof trustProxy === 'boolean' ? () => trustProxy : compile(trustProxy)
}

/**
 * Leaves only addresses in `X-Forwarded-For`. From the right, the first entry that is not an address and all before it
 * are removed: only the client can have written them.
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
