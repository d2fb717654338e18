/** Which IP addresses deliveries may reach: public unicast addresses, and networks that the operator permits. */
import { type BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { parseNetwork } from '../../core/network.ts'

export interface AddressPolicy {
  /** Loopback addresses may be reached. */
  loopback: boolean
  /** Those that may be reached may be so over http. */
  http: boolean
  /** Private networks that may be reached all the same. */
  allowedNetworks: readonly BlockList[]
}

/**
 * From the settings. In development loopback is open while the service itself listens on loopback alone: programs on
 * this machine trust callers from loopback.
 */
export function addressPolicy(config: {
  production: boolean
  host: string
  webhookAllowedNetworks: readonly string[]
}): AddressPolicy {
  const allowedNetworks = config.webhookAllowedNetworks.flatMap((text) => parseNetwork(text) ?? [])
  const isAlone = config.host === 'localhost' || (isIP(config.host) !== 0 && isLoopback(config.host))
  return { loopback: !config.production && isAlone, http: !config.production, allowedNetworks }
}

/** All that is given out for global unicast (RFC 4291, section 2.4): nothing that translates is in it but 6to4. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')
/** Public by its number, and yet the platform's own service on every machine in Azure. */
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

/** Permitting the NAT64 prefix permits the Internet, not a private network that it translates to. */
function isHarmlessTranslation(ip: ipaddr.IPv4 | ipaddr.IPv6, policy: AddressPolicy): boolean {
  if (ip instanceof ipaddr.IPv4 || !ip.match(nat64)) return true
  return mayReach(new ipaddr.IPv4(ip.toByteArray().slice(12)).toString(), policy)
}
