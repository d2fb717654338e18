/**
 * Guards requests to URLs that tenants choose, such as those of webhooks (against SSRF). A host name is resolved, every
 * address is checked, and the connection goes to the checked addresses and to no others.
 */
import { Resolver } from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { type AddressPolicy, isLoopback, mayReach } from './ip-address.ts'
import { hostOf, isLocalName } from './url.ts'

/** The guard, of which the whole service has one. */
export interface AddressGuard {
  /**
   * @param url a validated URL
   * @returns at least one address, in the order of preference, or the reason why there is none
   */
  resolve(url: URL): Promise<Resolution>
  /** @returns the texts of the TXT records of a name; none if it has none, or no name server answers */
  texts(name: string): Promise<string[]>
  /**
   * @param fresh opens a new connection
   * @returns options of Node.js that connect to one of these addresses and no other
   */
  requestOptions(url: URL, addresses: readonly string[], fresh: boolean): PinnedOptions
  /** Cancels queries in progress, and closes kept connections. */
  close(): void
}

export type Resolution = { addresses: string[] } | { refused: 'dns' | 'refusedAddress' }

/** Node.js passes unknown options to the agent. */
interface PinnedOptions extends http.RequestOptions {
  pinnedTo: string
}

export interface ReceiverOptions {
  /** Name servers in place of those of the system, each as `address:port`. */
  nameServers?: readonly string[]
  /** Certificates in PEM format, which replace the authorities that Node.js trusts. */
  certificateAuthorities?: string
}

/** How long idle connections are kept: shorter than receivers usually keep them, so that receivers seldom close one. */
const maxIdleMs = 4000
const maxIdleConnections = 64
const maxTlsSessions = 1000
/** The answer of a name server is cached for its time to live, but not longer than this. */
const maxAnswerMs = 30_000
const maxNames = 10_000

/**
 * Queries name servers directly, because a look-up by the system would occupy a thread of the pool for each name that
 * hangs. `/etc/hosts` is therefore not read.
 */
export function createAddressGuard(policy: AddressPolicy, options: ReceiverOptions = {}): AddressGuard {
  const { nameServers, certificateAuthorities: ca } = options
  const resolver = new Resolver({ timeout: 2000, tries: 3 })
  if (nameServers !== undefined) resolver.setServers(nameServers)
  const lookUp = cacheAnswers((name) => queryAddresses(resolver, name))
  // Unlike the global agents, these use no proxy from the environment.
  const kept = { keepAlive: true, timeout: maxIdleMs, maxFreeSockets: maxIdleConnections }
  const plain = pinConnections(new http.Agent(kept))
  const secure = pinConnections(new https.Agent({ ...kept, maxCachedSessions: maxTlsSessions }))
  const agentFor = (isSecure: boolean, fresh: boolean) => !fresh && (isSecure ? secure : plain)
  return {
    resolve: async (url) => {
      const addresses = await addressesOf(hostOf(url), lookUp)
      if (addresses.length === 0) return { refused: 'dns' }
      // A name with one forbidden address is forbidden, because the next look-up could return only that address.
      const isPermitted = addresses.every(
        (address) => mayReach(address, policy) && (url.protocol === 'https:' || isLoopback(address)),
      )
      return isPermitted ? { addresses } : { refused: 'refusedAddress' }
    },
    texts: async (name) => {
      const answers = await Promise.allSettled([resolver.resolveTxt(name)])
      return answers
        .flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
        .map((parts) => parts.join(''))
    },
    requestOptions: (url, addresses, fresh) => {
      const host = hostOf(url)
      const isSecure = url.protocol === 'https:'
      const pinned = {
        protocol: url.protocol,
        host,
        port: portOf(url),
        path: `${url.pathname}${url.search}`,
        agent: agentFor(isSecure, fresh),
        lookup: lookupOf(addresses),
        pinnedTo: addresses.toSorted().join(),
        autoSelectFamily: true,
      }
      return isSecure ? { ...pinned, ca, servername: isIP(host) === 0 ? host : '' } : pinned
    },
    close: () => {
      resolver.cancel()
      plain.destroy()
      secure.destroy()
    },
  }
}

function portOf({ protocol, port }: URL): number {
  if (port !== '') return Number(port)
  return protocol === 'https:' ? 443 : 80
}

async function addressesOf(host: string, lookUp: (name: string) => Promise<string[]>): Promise<string[]> {
  if (isIP(host) !== 0) return [host]
  return isLocalName(host) ? ['127.0.0.1', '::1'] : lookUp(host)
}

interface DnsAnswer {
  addresses: string[]
  ttlMs: number
}

/** @returns no addresses for a name without any, and for one whose servers do not answer */
async function queryAddresses(resolver: Resolver, name: string): Promise<DnsAnswer> {
  const answers = await Promise.allSettled([
    resolver.resolve4(name, { ttl: true }),
    resolver.resolve6(name, { ttl: true }),
  ])
  const records = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  return {
    addresses: records.map(({ address }) => address),
    ttlMs: Math.min(maxAnswerMs, ...records.map(({ ttl }) => ttl * 1000)),
  }
}

/** Shares simultaneous queries for a name, and caches answers for their time to live. Failures are not cached. */
function cacheAnswers(ask: (name: string) => Promise<DnsAnswer>): (name: string) => Promise<string[]> {
  /** `untilMs` is a time of `performance.now`. */
  const cached = new Map<string, { addresses: string[]; untilMs: number }>()
  const pending = new Map<string, Promise<string[]>>()
  const askNow = async (name: string): Promise<string[]> => {
    try {
      const { addresses, ttlMs } = await ask(name)
      cached.delete(name)
      if (addresses.length > 0) cached.set(name, { addresses, untilMs: performance.now() + ttlMs })
      const [oldest] = cached.keys()
      if (cached.size > maxNames && oldest !== undefined) cached.delete(oldest)
      return addresses
    } finally {
      pending.delete(name)
    }
  }
  return async (name) => {
    const answer = cached.get(name)
    if (answer !== undefined && answer.untilMs > performance.now()) return answer.addresses
    const query = pending.get(name) ?? askNow(name)
    pending.set(name, query)
    return query
  }
}

/** A kept connection serves only requests whose host was checked with the same addresses. */
function pinConnections<A extends http.Agent>(agent: A): A {
  const nameOf = agent.getName.bind(agent)
  agent.getName = (options?: Parameters<typeof nameOf>[0] & { pinnedTo?: string }) =>
    `${nameOf(options)}:${options?.pinnedTo ?? ''}`
  return agent
}

/** Returns the checked addresses without a second look-up. */
function lookupOf(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_name, options, answer) => {
    const [first] = all
    if (options.all || first === undefined) answer(null, all)
    else answer(null, first.address, first.family)
  }
}
