/**
 * Limits the requests to providers in progress, because a stranger can cause one with any code or token. The limits
 * count by network, by network and tenant, and by tenant: one network gets at most half of the permits of a tenant.
 */
import type { Context } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { ConcurrencyLimiter, type Release } from '../../core/limits/concurrency-limiter.ts'
import { clientNetwork } from '../../core/network.ts'
import type { Limit } from '../../database/limit.ts'

/** More for sign-outs, which the provider sends: it may serve many tenants. */
const maxOfNetwork = { signIn: 8, signOut: 64, discovery: 8 }
const maxOfNetworkForTenant = 32
const maxOfTenant = 64

export const providerRequestLimit: Limit = {
  name: 'requests to identity providers, for each of sign-ins, sign-outs and discoveries',
  kind: 'permits',
  bounds: {
    tenant: maxOfTenant,
    address: `${maxOfNetwork.signIn} sign-ins, ${maxOfNetwork.signOut} sign-outs, ${maxOfNetwork.discovery} discoveries`,
    'address in a tenant': maxOfNetworkForTenant,
  },
  beyond: '429 with `Retry-After`',
  page: 'security/strangers.md#operations',
}

export class ProviderLimiter {
  readonly #permits = new ConcurrencyLimiter()

  /** @throws ServiceError as `acquire` */
  async run<T>(context: Context, kind: keyof typeof maxOfNetwork, work: () => Promise<T>): Promise<T> {
    const release = this.acquire(context, kind)
    try {
      return await work()
    } finally {
      release()
    }
  }

  /** @throws ServiceError `tooManyRequests` while a bound of the client's network, or of the tenant, is reached */
  acquire({ clientAddress, tenant }: Context, kind: keyof typeof maxOfNetwork): Release {
    const network = `${kind} from ${clientNetwork(clientAddress ?? '')}`
    const release = this.#permits.acquire([
      { holder: network, max: maxOfNetwork[kind] },
      { holder: `${network} for ${tenant.id}`, max: maxOfNetworkForTenant },
      { holder: `${kind} for ${tenant.id}`, max: maxOfTenant },
    ])
    if (release === null) throw new ServiceError('tooManyRequests', undefined, { retryAfterSeconds: 5 })
    return release
  }
}
