/**
 * Limits the requests to providers under way, which a stranger can begin with any code or token: of one network, of one
 * network for one tenant, and of one tenant. A network that takes all of its places leaves half of a tenant's to others.
 */
import type { Context } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { ConcurrencyLimiter, type Release } from '../../core/limits/concurrency-limiter.ts'
import { clientNetwork } from '../../core/network.ts'

/** Sign-outs come from the provider, which may be that of many tenants. */
const maxOfNetwork = { signIn: 8, signOut: 64, discovery: 8 }
const maxOfNetworkForTenant = 32
const maxOfTenant = 64

export class ProviderPlaces {
  readonly #permits = new ConcurrencyLimiter()

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
  take({ clientAddress, tenant }: Context, kind: keyof typeof maxOfNetwork): Release {
    const network = `${kind} from ${clientNetwork(clientAddress ?? '')}`
    const leave = this.#permits.acquire([
      { holder: network, max: maxOfNetwork[kind] },
      { holder: `${network} for ${tenant.id}`, max: maxOfNetworkForTenant },
      { holder: `${kind} for ${tenant.id}`, max: maxOfTenant },
    ])
    if (leave === null) throw new ServiceError('tooManyRequests', undefined, { retryAfterSeconds: 5 })
    return leave
  }
}
