/**
 * Limits the requests to providers under way, which a stranger can begin with any code or token: of one network, and of
 * one tenant. A network that takes all of its places leaves most of a tenant's to others.
 */
import type { Context } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { ConcurrencyLimiter } from '../../core/limits/concurrency-limiter.ts'
import { clientNetwork } from '../../core/network.ts'

/** Sign-outs come from the provider, which may be that of many tenants. */
const maxOfNetwork = { signIn: 8, signOut: 64 }
const maxOfTenant = 64

export class ProviderPlaces {
  readonly #ofNetworks = new ConcurrencyLimiter()
  readonly #ofTenants = new ConcurrencyLimiter()

  /** @throws ServiceError `tooManyRequests` while all places of the client's network, or of the tenant, are taken */
  async hold<T>(
    { clientAddress, tenant }: Context,
    kind: keyof typeof maxOfNetwork,
    work: () => Promise<T>,
  ): Promise<T> {
    const network = `${kind} ${clientNetwork(clientAddress ?? '')}`
    const leaveNetwork = this.#ofNetworks.acquire(network, maxOfNetwork[kind])
    const leaveTenant =
      leaveNetwork === null ? null : this.#ofTenants.acquire(`${kind} ${tenant.id}`, maxOfTenant)
    try {
      if (leaveTenant === null) throw new ServiceError('tooManyRequests', undefined, { retryAfterSeconds: 5 })
      return await work()
    } finally {
      leaveTenant?.()
      leaveNetwork?.()
    }
  }
}
