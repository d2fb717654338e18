/** Rate limits of GraphQL: an operation counts for the policies of its root fields, or for the policy of its kind. */

import { clientNetwork } from '../../core/network.ts'
import type { Limiter, Limiters } from '../http/rate-limit/limiter.ts'
import type { Invocation } from './document/operation.ts'

const general = { query: 'read', mutation: 'write', subscription: 'read' } as const

export class OperationLimits {
  readonly #limiters: Limiters

  constructor(limiters: Limiters) {
    this.#limiters = limiters
  }

  /** @returns reply headers with the remaining quota @throws ServiceError `tooManyRequests` */
  async admit({ operation, variables }: Invocation, address: string | null): Promise<Record<string, string>> {
    const client = clientNetwork(address ?? '')
    const { kind } = operation
    const names = operation.roots(variables).map(({ nodes: [node] }) => `${kind} ${node?.name.value}`)
    const own = names.map((name) => this.#limiters.get(name))
    let headers = {}
    for (const limiter of [...own, own.includes(undefined) ? this.#general(general[kind]) : undefined]) {
      if (limiter !== undefined) headers = await limiter.admit(client)
    }
    return headers
  }

  #general(kind: 'read' | 'write'): Limiter | undefined {
    return this.#limiters.get(kind) ?? this.#limiters.get('default')
  }
}
