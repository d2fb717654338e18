import { BlockList, isIP } from 'node:net'

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
