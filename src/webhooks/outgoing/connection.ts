/** Connections to receivers: kept open for the next delivery, each good for the addresses it was vetted for. */
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { hostOf } from '../subscriptions/address.ts'

export interface Connections {
  /** What a request to this address needs to be sent over a connection to one of these addresses and no other. */
  optionsFor(url: URL, addresses: readonly string[], fresh: boolean): PinnedOptions
  close(): void
}

/** Node.js passes what it does not know on to the agent. */
interface PinnedOptions extends http.RequestOptions {
  pinnedTo: string
}

/** Shorter than receivers usually keep an idle connection, so that it is seldom them who end it. */
const idleMs = 4000

/** @param certificateAuthorities PEM, in place of those that Node.js trusts */
export function openConnections(certificateAuthorities?: string): Connections {
  // Agents of our own take no proxy from the environment; the global one may.
  const options = { keepAlive: true, timeout: idleMs, maxFreeSockets: 64 }
  const plain = pinning(new http.Agent(options))
  const secure = pinning(new https.Agent({ ...options, maxCachedSessions: 1000 }))
  const trust = certificateAuthorities === undefined ? {} : { ca: certificateAuthorities }
  return {
    optionsFor: (url, addresses, fresh) => {
      const host = hostOf(url)
      const isSecure = url.protocol === 'https:'
      return {
        protocol: url.protocol,
        host,
        port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
        path: `${url.pathname}${url.search}`,
        agent: fresh ? false : isSecure ? secure : plain,
        lookup: pinnedTo(addresses),
        pinnedTo: addresses.toSorted().join(),
        autoSelectFamily: true,
        ...(isSecure && { ...trust, servername: isIP(host) === 0 ? host : '' }),
      }
    },
    close: () => {
      plain.destroy()
      secure.destroy()
    },
  }
}

/** A connection is used again only by a request that has been vetted for the same addresses. */
function pinning<A extends http.Agent>(agent: A): A {
  const nameOf = agent.getName.bind(agent)
  agent.getName = (options?: Parameters<typeof nameOf>[0] & { pinnedTo?: string }) =>
    `${nameOf(options)}:${options?.pinnedTo ?? ''}`
  return agent
}

/** Answers with what was vetted; nothing is looked up a second time. */
function pinnedTo(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_name, options, answer) => {
    const [first] = all
    if (options.all || first === undefined) answer(null, all)
    else answer(null, first.address, first.family)
  }
}
