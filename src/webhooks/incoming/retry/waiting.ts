/** Which tenants with a database of their own may have actions to be tried again; the shared one is always asked. */
import type { Tenant } from '../../../core/context.ts'

export class Waiting {
  /** Seconds from each failed attempt to the next. */
  readonly retrySeconds: readonly number[]
  readonly #tenants = new Set<string>()

  constructor(retrySeconds: readonly number[]) {
    this.retrySeconds = retrySeconds
  }

  note({ id, hasOwnDatabase }: Pick<Tenant, 'id' | 'hasOwnDatabase'>): void {
    if (hasOwnDatabase) this.#tenants.add(id)
  }

  forget(tenantId: string): void {
    this.#tenants.delete(tenantId)
  }

  tenantIds(): string[] {
    return [...this.#tenants]
  }
}
