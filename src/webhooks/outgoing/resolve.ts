/** Looks a host up and vets every address that it has. What is vetted here is what the connection is pinned to. */
import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { hostOf, isLocalName } from '../subscriptions/address.ts'
import { type AddressPolicy, isLoopback, mayReach } from '../subscriptions/ip-address.ts'

/** In the order of preference, never empty; or why there is none. */
export type Resolution = { addresses: string[] } | { refused: 'dns' | 'refusedAddress' }

export interface HostResolver {
  /** @param url judged as it is written before */
  resolve(url: URL): Promise<Resolution>
  /** Gives up what is being asked. */
  close(): void
}

interface Found {
  addresses: string[]
  ttlMs: number
}

interface Remembered {
  addresses: string[]
  /** On the clock of `performance.now`. */
  until: number
}

/** An answer is used for as long as it says, but no longer than this. */
const longestMs = 30_000
const mostNames = 10_000

/**
 * Asks name servers itself: the system's own look-up would hold a thread of the pool for each name that hangs.
 * `/etc/hosts` is therefore not read.
 * @param nameServers in place of the system's, `address:port`
 */
export function createResolver(policy: AddressPolicy, nameServers?: readonly string[]): HostResolver {
  const resolver = new Resolver({ timeout: 2000, tries: 3 })
  if (nameServers !== undefined) resolver.setServers(nameServers)
  const lookUp = remembering((name) => query(resolver, name))
  return {
    resolve: async (url) => {
      const addresses = await addressesOf(hostOf(url), lookUp)
      if (addresses.length === 0) return { refused: 'dns' }
      // One bad address condemns the name: an honest one has none, and the next answer could be that one alone.
      const permitted = addresses.every(
        (address) => mayReach(address, policy) && (url.protocol === 'https:' || isLoopback(address)),
      )
      return permitted ? { addresses } : { refused: 'refusedAddress' }
    },
    close: () => resolver.cancel(),
  }
}

async function addressesOf(host: string, lookUp: (name: string) => Promise<string[]>): Promise<string[]> {
  if (isIP(host) !== 0) return [host]
  return isLocalName(host) ? ['127.0.0.1', '::1'] : lookUp(host)
}

/** An empty list for a name that has no address, or whose servers do not answer. */
async function query(resolver: Resolver, name: string): Promise<Found> {
  const answers = await Promise.allSettled([
    resolver.resolve4(name, { ttl: true }),
    resolver.resolve6(name, { ttl: true }),
  ])
  const records = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  return {
    addresses: records.map(({ address }) => address),
    ttlMs: Math.min(longestMs, ...records.map(({ ttl }) => ttl * 1000)),
  }
}

/** Simultaneous questions for a name are one, and an answer holds for its time. Failures are not remembered. */
function remembering(ask: (name: string) => Promise<Found>): (name: string) => Promise<string[]> {
  const known = new Map<string, Remembered>()
  const asked = new Map<string, Promise<string[]>>()
  const askNow = async (name: string): Promise<string[]> => {
    try {
      const { addresses, ttlMs } = await ask(name)
      known.delete(name)
      if (addresses.length > 0) known.set(name, { addresses, until: performance.now() + ttlMs })
      const [oldest] = known.keys()
      if (known.size > mostNames && oldest !== undefined) known.delete(oldest)
      return addresses
    } finally {
      asked.delete(name)
    }
  }
  return async (name) => {
    const remembered = known.get(name)
    if (remembered !== undefined && remembered.until > performance.now()) return remembered.addresses
    const question = asked.get(name) ?? askNow(name)
    asked.set(name, question)
    return question
  }
}
