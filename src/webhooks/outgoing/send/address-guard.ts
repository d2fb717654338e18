/**
 * Which addresses deliveries reach. A host name is resolved and every address of it is checked; the connection goes to
 * the checked addresses and to no others.
 */
import { Resolver } from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { hostOf, isLocalName } from '../../subscriptions/address.ts'
import { type AddressPolicy, isLoopback, mayReach } from '../../subscriptions/ip-address.ts'

/** One for the whole service. */
export interface AddressGuard {
  /**
   * @param url judged as written before
   * @returns the addresses in the order of preference, at least one; or why there is none
   */
  resolve(url: URL): Promise<Resolution>
  /** @param fresh not over a kept connection @returns options that connect to one of these addresses and no other */
  requestOptions(url: URL, addresses: readonly string[], fresh: boolean): PinnedOptions
  /** Abandons what is being resolved, and closes kept connections. */
  close(): void
}

export type Resolution = { addresses: string[] } | { refused: 'dns' | 'refusedAddress' }

/** Node.js passes options that it does not know to the agent. */
interface PinnedOptions extends http.RequestOptions {
  pinnedTo: string
}

export interface ReceiverOptions {
  /** In place of the system's, each `address:port`. */
  nameServers?: readonly string[]
  /** PEM, in place of those that Node.js trusts. */
  certificateAuthorities?: string
}

/** Receivers usually keep an idle connection for longer, so that they seldom end it. */
const maxIdleMs = 4000
const maxIdleConnections = 64
const maxTlsSessions = 1000
/** An answer of a name server holds for its own time to live, at most for this long. */
const maxAnswerMs = 30_000
const maxNames = 10_000

/**
 * Asks name servers directly: a look-up of the system would hold a thread of the pool for each name that hangs.
 * `/etc/hosts` is therefore not read.
 */
export function createAddressGuard(policy: AddressPolicy, options: ReceiverOptions = {}): AddressGuard {
  const { nameServers, certificateAuthorities: ca } = options
  const resolver = new Resolver({ timeout: 2000, tries: 3 })
  if (nameServers !== undefined) resolver.setServers(nameServers)
  const lookUp = remember((name) => query(resolver, name))
  // Agents of our own take no proxy from the environment; the global one may.
  const kept = { keepAlive: true, timeout: maxIdleMs, maxFreeSockets: maxIdleConnections }
  const plain = pinConnections(new http.Agent(kept))
  const secure = pinConnections(new https.Agent({ ...kept, maxCachedSessions: maxTlsSessions }))
  return {
    resolve: async (url) => {
      const addresses = await addressesOf(hostOf(url), lookUp)
      if (addresses.length === 0) return { refused: 'dns' }
      // One forbidden address condemns the name: the next answer could be that address alone.
      const isPermitted = addresses.every(
        (address) => mayReach(address, policy) && (url.protocol === 'https:' || isLoopback(address)),
      )
      return isPermitted ? { addresses } : { refused: 'refusedAddress' }
    },
    requestOptions: (url, addresses, fresh) => {
      const host = hostOf(url)
      const isSecure = url.protocol === 'https:'
      return {
        protocol: url.protocol,
        host,
        port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
        path: `${url.pathname}${url.search}`,
        agent: fresh ? false : isSecure ? secure : plain,
        lookup: lookupOf(addresses),
        pinnedTo: addresses.toSorted().join(),
        autoSelectFamily: true,
        ...(isSecure && { ...(ca !== undefined && { ca }), servername: isIP(host) === 0 ? host : '' }),
      }
    },
    close: () => {
      resolver.cancel()
      plain.destroy()
      secure.destroy()
    },
  }
}

async function addressesOf(host: string, lookUp: (name: string) => Promise<string[]>): Promise<string[]> {
  if (isIP(host) !== 0) return [host]
  return isLocalName(host) ? ['127.0.0.1', '::1'] : lookUp(host)
}

interface Answered {
  addresses: string[]
  ttlMs: number
}

/** @returns an empty list for a name without an address, and for one whose servers do not answer */
async function query(resolver: Resolver, name: string): Promise<Answered> {
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

/** Simultaneous questions for a name are one, and an answer holds for its time to live. Failures are not remembered. */
function remember(ask: (name: string) => Promise<Answered>): (name: string) => Promise<string[]> {
  /** `untilMs` is on the clock of `performance.now`. */
  const known = new Map<string, { addresses: string[]; untilMs: number }>()
  const asked = new Map<string, Promise<string[]>>()
  const askNow = async (name: string): Promise<string[]> => {
    try {
      const { addresses, ttlMs } = await ask(name)
      known.delete(name)
      if (addresses.length > 0) known.set(name, { addresses, untilMs: performance.now() + ttlMs })
      const [oldest] = known.keys()
      if (known.size > maxNames && oldest !== undefined) known.delete(oldest)
      return addresses
    } finally {
      asked.delete(name)
    }
  }
  return async (name) => {
    const remembered = known.get(name)
    if (remembered !== undefined && remembered.untilMs > performance.now()) return remembered.addresses
    const question = asked.get(name) ?? askNow(name)
    asked.set(name, question)
    return question
  }
}

/** A kept connection serves only requests whose host was checked with the same addresses. */
function pinConnections<A extends http.Agent>(agent: A): A {
  const nameOf = agent.getName.bind(agent)
  agent.getName = (options?: Parameters<typeof nameOf>[0] & { pinnedTo?: string }) =>
    `${nameOf(options)}:${options?.pinnedTo ?? ''}`
  return agent
}

/** Answers with the checked addresses; nothing is looked up a second time. */
function lookupOf(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_name, options, answer) => {
    const [first] = all
    if (options.all || first === undefined) answer(null, all)
    else answer(null, first.address, first.family)
  }
}
