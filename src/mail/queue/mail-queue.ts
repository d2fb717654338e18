/** The queue of the mails of all tenants, which wait in the catalogue. An attempt is counted when it begins. */
import type { Shared } from '../../core/context.ts'
import type { MailSender } from '../../core/mail-address.ts'
import { Counter } from '../../core/metric.ts'
import type { Claim, Claimed, EndedAttempt, LeasedWork, NextDue } from '../../core/queue/leased-work.ts'
import { TenantLimiter } from '../../core/queue/permits.ts'
import type { ServedTenants } from '../../core/queue/served-tenants.ts'
import type { Database } from '../../database/executor.ts'
import { allMails } from '../all-mails.ts'
import { mailQueueName } from '../send.ts'
import type { MailTransport } from '../transport/transport.ts'
import { attemptMail, type MailOutcome } from './attempt.ts'
import { claimMails } from './claim.ts'
import type { MailLimits } from './limiter.ts'
import { recordOutcomes } from './record.ts'
import { type DueMail, expireLeases, tenantsWithMails } from './sql.ts'

export interface MailRunsOptions {
  shared: Shared
  tenants: ServedTenants
  transport: MailTransport
  from: MailSender
  /** Seconds between attempts. */
  retrySeconds: readonly number[]
  limits: MailLimits
}

export class MailRuns implements LeasedWork<DueMail, MailOutcome> {
  readonly name = mailQueueName
  readonly isInCatalogue = true
  readonly leaseMs: number
  readonly limiter: TenantLimiter
  readonly attempts = new Counter(['template', 'outcome'])
  readonly #options: MailRunsOptions

  constructor(options: MailRunsOptions) {
    this.#options = options
    this.leaseMs = options.limits.leaseMs
    this.limiter = new TenantLimiter(options.limits)
  }

  scan(database: Database): Promise<ReadonlyMap<string, number>> {
    return tenantsWithMails(allMails(database.executor))
  }

  async expireLeases(database: Database): Promise<void> {
    const now = this.#options.shared.clock().toISOString()
    await database.transaction((transaction) => expireLeases(allMails(transaction), now))
  }

  claim(_database: Database, claim: Claim): Promise<Claimed<DueMail>> {
    const { shared, retrySeconds: schedule } = this.#options
    return claimMails({ ...claim, shared, limiter: this.limiter, schedule })
  }

  async attempt(mail: DueMail): Promise<MailOutcome | null> {
    const { shared, tenants, transport, from } = this.#options
    const tenant = await tenants.find(mail.tenantId)
    if (tenant === null) return null
    const outcome = await attemptMail(mail, { shared, tenant, transport, from })
    const template = shared.mails.declared.has(mail.template) ? mail.template : 'unknown'
    this.attempts.count({ template, outcome: outcome.error === null ? 'success' : 'failure' })
    return outcome
  }

  record(_database: Database, ended: readonly EndedAttempt<DueMail, MailOutcome>[]): Promise<NextDue[]> {
    const { shared, retrySeconds } = this.#options
    return recordOutcomes(shared, ended, retrySeconds)
  }

  describe({ template, id }: DueMail): object {
    return { template, id }
  }

  abort(): void {
    this.#options.transport.close?.()
  }

  close(): void {
    this.#options.transport.close?.()
  }
}
