/**
 * The IP addresses that tenants may make the service reach: public unicast addresses, and networks that the operator
 * allows.
 */
import { type BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { parseNetwork } from '../network.ts'

export interface AddressPolicy {
  /** Loopback addresses may be reached. */
  loopback: boolean
  /** Loopback addresses that may be reached accept http as well. */
  http: boolean
  /** Private networks that may be reached. */
  allowedNetworks: readonly BlockList[]
}

/**
 * Makes the policy from the settings. Loopback may be reached only in development, while the service itself listens
 * only on loopback: programs on a machine trust callers from loopback.
 */
export function addressPolicy(config: {
  production: boolean
  host: string
  webhookAllowedNetworks: readonly string[]
}): AddressPolicy {
  const allowedNetworks = config.webhookAllowedNetworks.flatMap((text) => parseNetwork(text) ?? [])
  const loopback = !config.production && isThisMachine(config.host)
  return { loopback, http: !config.production, allowedNetworks }
}

/** Whether a host is `localhost` or a loopback address. A name server may answer any address for other names. */
export function isThisMachine(host: string): boolean {
  return host === 'localhost' || (isIP(host) !== 0 && isLoopback(host))
}

/** The allocated global unicast range (RFC 4291, section 2.4). 6to4 is the only translating prefix in it. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')
/** A public address that is an internal service of the platform on every machine in Azure. */
const azurePlatform = '168.63.129.16'

/** @param address in canonical form, as `URL` and the resolver give it */
export function mayReach(address: string, policy: AddressPolicy): boolean {
  const ip = ipaddr.parse(address)
  if (isAllowed(address, policy)) return isHarmlessTranslation(ip, policy)
  if (ip.range() === 'loopback') return policy.loopback
  if (ip.range() !== 'unicast' || address === azurePlatform) return false
  return ip instanceof ipaddr.IPv4 || ip.match(globalUnicast)
}

export function isLoopback(address: string): boolean {
  return ipaddr.parse(address).range() === 'loopback'
}

function isAllowed(address: string, { allowedNetworks }: AddressPolicy): boolean {
  const family = address.includes(':') ? 'ipv6' : 'ipv4'
  return allowedNetworks.some((network) => network.check(address, family))
}

/** Whether an address of NAT64 stands for a permitted address: its last four bytes are the IPv4 address behind it. */
function isHarmlessTranslation(ip: ipaddr.IPv4 | ipaddr.IPv6, policy: AddressPolicy): boolean {
  if (ip instanceof ipaddr.IPv4 || !ip.match(nat64)) return true
  return mayReach(new ipaddr.IPv4(ip.toByteArray().slice(12)).toString(), policy)
}
