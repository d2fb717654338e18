/** The queue of mails, which are in the catalogue: a pass claims due mails, sends them, and records their outcomes. */
import type { Shared } from '../../core/context.ts'
import type { MailSender } from '../../core/mail-address.ts'
import { Counter } from '../../core/metric.ts'
import { DueIndex } from '../../core/queue/due-index.ts'
import { nothingDue, type Pass, type Queue, type QueueKind } from '../../core/queue/queue.ts'
import type { ServedTenants } from '../../core/queue/served-tenants.ts'
import { StaleLeases } from '../../core/queue/stale-leases.ts'
import type { Database } from '../../database/executor.ts'
import { allMails } from '../all-mails.ts'
import { mailQueueName } from '../send.ts'
import type { MailTransport } from '../transport/transport.ts'
import { attemptMail } from './attempt.ts'
import { claimMails } from './claim.ts'
import { MailLimiter, type MailLimits } from './limiter.ts'
import { createRecorder, type MailRecorder } from './record.ts'
import { type DueMail, expireLeases, tenantsWithMails } from './sql.ts'

export interface MailRunsOptions {
  shared: Shared
  tenants: ServedTenants
  /** `null`: no mail can be sent, and none is stored as pending. */
  transport: MailTransport | null
  from: MailSender
  /** Seconds between attempts. */
  retrySeconds: readonly number[]
  limits: MailLimits
}

export class MailRuns implements QueueKind {
  readonly name = mailQueueName
  readonly attempts = new Counter(['template', 'outcome'])
  readonly limiter: MailLimiter
  readonly #options: MailRunsOptions
  readonly #stopping = new AbortController()

  constructor(options: MailRunsOptions) {
    this.#options = options
    this.limiter = new MailLimiter(options.limits)
  }

  get leaseMs(): number {
    return this.#options.limits.leaseMs
  }

  createQueue(): Queue {
    const { attempts, limiter } = this
    return new MailQueue({ ...this.#options, attempts, limiter, stopping: this.#stopping.signal })
  }

  abort(): void {
    this.#stopping.abort()
    this.#options.transport?.close?.()
  }

  close(): void {
    this.#options.transport?.close?.()
  }
}

interface MailQueueParts extends MailRunsOptions {
  attempts: Counter<'template' | 'outcome'>
  limiter: MailLimiter
  stopping: AbortSignal
}

/** The keys of its due index are tenants. In tenants' own databases there is nothing to do. */
class MailQueue implements Queue {
  readonly dueIndex = new DueIndex()
  readonly #parts: MailQueueParts
  readonly #recorder: MailRecorder
  /** `null` on PostgreSQL, where leases may belong to other instances. */
  readonly #staleLeases: StaleLeases | null

  constructor(parts: MailQueueParts) {
    this.#parts = parts
    const { clock, catalogueDatabase } = parts.shared
    this.#recorder = createRecorder(parts.shared, parts.stopping)
    const expireAll = (database: Database) =>
      database.transaction((transaction) => expireLeases(allMails(transaction), clock().toISOString()))
    this.#staleLeases = catalogueDatabase.dialect === 'sqlite' ? new StaleLeases(expireAll) : null
  }

  async walk(database: Database): Promise<ReadonlyMap<string, number>> {
    const found = new Map<string, number>()
    if (!this.#isServed(database)) return found
    await this.#staleLeases?.expire(database)
    for (const { tenantId, dueAt } of await tenantsWithMails(allMails(database.executor)))
      if (dueAt !== null) found.set(tenantId, Date.parse(dueAt))
    return found
  }

  canResume(): boolean {
    const { shared, limiter } = this.#parts
    return this.dueIndex.firstDue(shared.clock().getTime(), (id) => limiter.available(id) > 0) !== null
  }

  async pass(database: Database): Promise<Pass> {
    const { shared, limiter, limits, retrySeconds: schedule, tenants } = this.#parts
    if (!this.#isServed(database)) return nothingDue
    await this.#staleLeases?.expire(database)
    const now = shared.clock()
    const inactive = await tenants.inactiveOf(this.dueIndex.due(now.getTime()))
    for (const id of inactive) this.dueIndex.replace(id, null) // until the next walk
    const begun: Promise<void>[] = []
    const due = this.dueIndex.due(now.getTime())
    for (const tenantId of due.filter((id) => limiter.available(id) > 0)) {
      if (limiter.available(tenantId) === 0) break
      const claim = { shared, limiter, tenantId, now, leaseMs: limits.leaseMs, schedule }
      const { lease, mails, nextDueMs } = await claimMails(claim)
      this.dueIndex.replace(tenantId, nextDueMs)
      begun.push(...mails.map((mail) => this.#run(mail, lease, limiter.hold(tenantId))))
    }
    const left = this.dueIndex.due(now.getTime())
    const isMore = left.some((id) => limiter.available(id) > 0)
    return { begun, hasWritten: due.length > 0, isMore, isHeldBack: left.length > 0 }
  }

  #isServed(database: Database): boolean {
    const { shared, transport } = this.#parts
    return transport !== null && database === shared.catalogueDatabase
  }

  async #run(mail: DueMail, lease: string, release: () => void): Promise<void> {
    try {
      await this.#attempt(mail, lease)
    } catch (error) {
      // The mail is sent again when its lease ends.
      this.#parts.shared.log.error({ err: error, template: mail.template, id: mail.id }, 'mail not attempted')
    }
    release()
  }

  async #attempt(mail: DueMail, lease: string): Promise<void> {
    const { shared, tenants, transport, from, attempts, retrySeconds: schedule } = this.#parts
    const tenant = await tenants.find(mail.tenantId)
    if (tenant === null || transport === null) return
    const failure = await attemptMail(mail, { shared, tenant, transport, from })
    const template = shared.mails.declared.has(mail.template) ? mail.template : 'unknown'
    attempts.count({ template, outcome: failure === null ? 'success' : 'failure' })
    const result = { mail, lease, schedule, endedAt: shared.clock(), failure }
    const state = await this.#recorder.record(result)
    if (state?.nextAt) this.dueIndex.note(mail.tenantId, Date.parse(state.nextAt))
  }
}
