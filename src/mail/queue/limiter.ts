/** Limits of mails that this instance sends at once. */
import { ConcurrencyLimiter } from '../../core/limits/concurrency-limiter.ts'

export interface MailLimits {
  /** Mails at once: as many as there are connections to the mail server. */
  total: number
  /** Mails of one tenant at once. */
  perTenant: number
  /** How long a mail stays claimed after its instance has died: longer than an attempt may take. */
  leaseMs: number
  /** How long an attempt may take. */
  deadlineMs: number
  /** Mails that strangers can cause within an hour: to one address, and of one tenant. */
  perAddressPerHour: number
  perTenantPerHour: number
}

export const defaultMailLimits: MailLimits = {
  ...{ total: 5, perTenant: 4, leaseMs: 60_000, deadlineMs: 30_000 },
  ...{ perAddressPerHour: 5, perTenantPerHour: 1000 },
}

export class MailLimiter {
  readonly #limits: Pick<MailLimits, 'total' | 'perTenant'>
  readonly #held = new ConcurrencyLimiter()

  constructor(limits: Pick<MailLimits, 'total' | 'perTenant'>) {
    this.#limits = limits
  }

  get inUse(): number {
    return this.#held.total
  }

  available(tenantId: string): number {
    const { total, perTenant } = this.#limits
    return Math.max(0, Math.min(perTenant - this.#held.held(tenantId), total - this.#held.total))
  }

  /** For a mail that was claimed within what is available. @returns releases the permit */
  hold(tenantId: string): () => void {
    return this.#held.acquire(tenantId, Number.POSITIVE_INFINITY) ?? (() => undefined)
  }
}
