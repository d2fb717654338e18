/** Finds the client's address and the host name of an upgrade behind proxies, as Fastify does for requests. */
import type { IncomingMessage } from 'node:http'
import { BlockList } from 'node:net'
import ipaddr from 'ipaddr.js'
import { parseNetwork, readClientAddress } from '../../../core/network.ts'
import type { TrustProxy } from '../../../core/settings/parse.ts'

export interface RequestOrigin {
  address: string
  /** The host of the request as the header `Host` writes it, perhaps with a port. */
  host: string
}

export function originFinder(trustProxy: TrustProxy): (request: IncomingMessage) => RequestOrigin {
  const isTrusted = trustedProxies(trustProxy)
  return (request) => {
    keepForwardedAddresses(request)
    const { headers, socket } = request
    const address = socket.remoteAddress ?? ''
    const forwarded = String(headers['x-forwarded-host'] ?? '')
    const isForwarded = forwarded !== '' && isTrusted(address, 0)
    return {
      address: clientAddressOf(request, isTrusted),
      host: isForwarded ? forwarded.slice(forwarded.lastIndexOf(',') + 1).trim() : (headers.host ?? ''),
    }
  }
}

/** @param hop 0 for the address that the connection comes from */
type IsTrusted = (address: string, hop: number) => boolean

/** The last address, seen from here, that is not one of a trusted proxy, or the first of all. */
function clientAddressOf({ headers, socket }: IncomingMessage, isTrusted: IsTrusted): string {
  const forwarded = String(headers[forwardedFor] ?? '').split(', ')
  const hops = [socket.remoteAddress ?? '', ...forwarded.filter((hop) => hop !== '').toReversed()]
  return hops.find((address, hop) => !isTrusted(address, hop)) ?? hops.at(-1) ?? ''
}

/** @returns whether the address is a trusted proxy */
export function trustedProxies(trustProxy: TrustProxy): IsTrusted {
  if (typeof trustProxy === 'boolean') return () => trustProxy
  if (typeof trustProxy === 'number') return (_address, hop) => hop < trustProxy
  const names = trustProxy.flatMap((entry) => rangesOf[entry] ?? [])
  const networks = trustProxy.filter((entry) => !Object.hasOwn(rangesOf, entry)).map(networkOf)
  return (address) => {
    if (!ipaddr.isValid(address)) return false
    const ip = addressOf(address)
    return names.includes(ip.range()) || networks.some((network) => network.check(ip.toString(), ip.kind()))
  }
}

/** An IPv4 address may be written as an IPv6 address. */
function addressOf(text: string): ipaddr.IPv4 | ipaddr.IPv6 {
  const ip = ipaddr.parse(text)
  return ip instanceof ipaddr.IPv6 && ip.isIPv4MappedAddress() ? ip.toIPv4Address() : ip
}

/** The names of ranges that Fastify knows, as `ipaddr.js` calls them. */
const rangesOf: Record<string, string[]> = {
  loopback: ['loopback'],
  linklocal: ['linkLocal'],
  uniquelocal: ['uniqueLocal', 'private'],
}

/** @param entry an address or a network, as the settings have checked */
function networkOf(entry: string): BlockList {
  const network = parseNetwork(entry) ?? new BlockList()
  if (!entry.includes('/')) network.addAddress(entry, entry.includes(':') ? 'ipv6' : 'ipv4')
  return network
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

/** @returns advice for a setting with which clients choose their addresses; `null` for any other */
export function proxyWarning(trustProxy: TrustProxy): string | null {
  if (trustProxy !== true) return null
  return 'TRUST_PROXY=true believes the first address of X-Forwarded-For, which clients write where proxies append to it: set the addresses of the proxies, or their number.'
}
