import { BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Reads IP addresses and networks. */

/**
 * Reads a CIDR network such as `10.0.0.0/8` or `fd00::/8`.
 * @returns `null` for other text, and for an address with a zone, which has no meaning outside its machine
 */
export function parseNetwork(text: string): BlockList | null {
  const [, address = '', prefix = ''] = /^([^/%]+)\/(\d{1,3})$/.exec(text) ?? []
  const family = isIP(address)
  const bits = Number(prefix)
  if (family === 0 || bits > (family === 4 ? 32 : 128)) return null
  const network = new BlockList()
  network.addSubnet(address, bits, family === 4 ? 'ipv4' : 'ipv6')
  return network
}

/** The last address and its network are kept, because requests often come from the same address as the one before. */
let lastAddress = ''
let lastNetwork = ''

/** The network of one client: an IPv4 address, or an IPv6 /64, the smallest network that providers assign. */
export function clientNetwork(address: string): string {
  if (address !== lastAddress || lastNetwork === '') {
    lastNetwork = networkOf(address)
    lastAddress = address
  }
  return lastNetwork
}

function networkOf(address: string): string {
  if (isIP(address) === 4) return address
  if (isIP(address) !== 6) return unknownNetwork
  const ip = ipaddr.IPv6.parse(address)
  if (ip.isIPv4MappedAddress()) return ip.toIPv4Address().toString()
  const groups = ip.parts.slice(0, 4).map((part) => part.toString(16))
  return `${groups.join(':')}::/64`
}

/** Stands for the network of a caller without an address, such as a job. */
const unknownNetwork = 'unknown'

/**
 * Reads an address as proxies write it: alone, or with the client's port.
 * @returns `null` for other text, and for an IPv6 address with a zone, which has no meaning outside its machine
 */
export function readClientAddress(text: string): string | null {
  const match = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text)
  const address = match?.[1] ?? match?.[2] ?? text
  return isIP(address) === 0 || address.includes('%') ? null : address
}
