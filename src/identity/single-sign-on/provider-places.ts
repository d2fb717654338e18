/**
 * Limits the requests to providers under way, which a stranger can begin with any code or token: of one network, of one
 * network for one tenant, and of one tenant. A network that takes all of its places leaves half of a tenant's to others.
 */
import type { Context } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { ConcurrencyLimiter } from '../../core/limits/concurrency-limiter.ts'
import { clientNetwork } from '../../core/network.ts'

/** Sign-outs come from the provider, which may be that of many tenants. */
const maxOfNetwork = { signIn: 8, signOut: 64, discovery: 8 }
const maxOfNetworkForTenant = 32
const maxOfTenant = 64

export class ProviderPlaces {
  readonly #held = new ConcurrencyLimiter()

  /** @throws ServiceError as `take` */
  async hold<T>(context: Context, kind: keyof typeof maxOfNetwork, work: () => Promise<T>): Promise<T> {
    const leave = this.take(context, kind)
    try {
      return await work()
    } finally {
      leave()
    }
  }

  /**
   * @returns gives the place back
   * @throws ServiceError `tooManyRequests` while all places of the client's network, or of the tenant, are taken
   */
  take({ clientAddress, tenant }: Context, kind: keyof typeof maxOfNetwork): () => void {
    const network = `${kind} from ${clientNetwork(clientAddress ?? '')}`
    const bounds: [key: string, max: number][] = [
      [network, maxOfNetwork[kind]],
      [`${network} for ${tenant.id}`, maxOfNetworkForTenant],
      [`${kind} for ${tenant.id}`, maxOfTenant],
    ]
    const leaves: (() => void)[] = []
    const leaveAll = () => {
      for (const leave of leaves) leave()
    }
    for (const [key, max] of bounds) {
      const leave = this.#held.acquire(key, max)
      if (leave === null) {
        leaveAll()
        throw new ServiceError('tooManyRequests', undefined, { retryAfterSeconds: 5 })
      }
      leaves.push(leave)
    }
    return leaveAll
  }
}
