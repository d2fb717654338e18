/** Addresses of attackers. */
import type { TcpNetConnectOpts } from 'node:net'

/** What the service trusts as a proxy; the well-behaved client comes from there as well. */
export const proxyAddress = '127.0.0.1'

/** Linux has the whole network 127.0.0.0/8 on its loopback interface; others have one address there. */
const hasManyAddresses = process.platform === 'linux'

/** @returns where the connection of the nth attacker goes, from an address of its own where the system has some */
export function connectionOf(port: number, attacker: number): TcpNetConnectOpts {
  const localAddress = `127.0.${2 + (Math.floor(attacker / 250) % 250)}.${1 + (attacker % 250)}`
  return { port, host: proxyAddress, noDelay: true, ...(hasManyAddresses && { localAddress }) }
}

/** @returns headers of a request that comes through the proxy from the nth address */
export function forwardedFrom(attacker: number): Record<string, string> {
  return { 'x-forwarded-for': `10.${(attacker >> 16) & 255}.${(attacker >> 8) & 255}.${attacker & 255}` }
}
