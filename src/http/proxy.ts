/** Who calls, and by which name, where proxies stand before us: for an upgrade what Fastify tells of a request. */
import type { IncomingMessage } from 'node:http'
import { all, compile } from '@fastify/proxy-addr'

export interface Caller {
  address: string
  /** As in the header `Host`. */
  host: string
}

/** @param trustProxy the setting: everybody, nobody, or these addresses and networks */
export function callerFinder(trustProxy: boolean | string[]): (request: IncomingMessage) => Caller {
  const isTrusted = trustedProxies(trustProxy)
  return (request) => {
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
