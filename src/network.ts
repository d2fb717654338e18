import { BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Reads a CIDR network such as `10.0.0.0/8` or `fd00::/8`; `null` when the text is none. */
export function parseNetwork(text: string): BlockList | null {
  const [address = '', prefix = ''] = text.split('/')
  const family = isIP(address)
  const bits = Number(prefix)
  if (family === 0 || !/^\d{1,3}$/.test(prefix) || bits > (family === 4 ? 32 : 128)) return null
  const network = new BlockList()
  network.addSubnet(address, bits, family === 4 ? 'ipv4' : 'ipv6')
  return network
}

/** What is counted as one client: an IPv4 address, or a /64 of IPv6, which is the least that a customer is given. */
export function clientNetwork(address: string): string {
  const host = withoutPort(address)
  if (isIP(host) === 4) return host
  if (isIP(host) !== 6) return unknownNetwork
  const ip = ipaddr.IPv6.parse(host)
  if (ip.isIPv4MappedAddress()) return ip.toIPv4Address().toString()
  const groups = ip.parts.slice(0, 4).map((part) => part.toString(16))
  return `${groups.join(':')}::/64`
}

/** One client for all whose proxy says something else than an address: the text is the sender's, of any length. */
const unknownNetwork = 'unknown'

/** Some proxies add the port of the client, which is another one for each connection. */
function withoutPort(address: string): string {
  const match = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(address)
  return match?.[1] ?? match?.[2] ?? address
}
