/**
 * The queue of pending runs. A run is the action of a rule for one received webhook (its receipt). It is pending if it
 * has failed and is retried, or if it is beyond the first batch of a receipt. Tenants take turns with one batch each. A
 * batch needs no lease: it is one transaction with its changes, under the lock of its receipt, so that a crash undoes it.
 */

import { setTimeout as delay } from 'node:timers/promises'
import { type Context, now, type Shared } from '../../../core/context.ts'
import { tenantContext } from '../../../core/create-context.ts'
import { withOwnerRights } from '../../../core/owner.ts'
import { DueIndex } from '../../../core/queue/due-index.ts'
import { nothingDue, type Poll, type Queue, type QueueKind } from '../../../core/queue/queue.ts'
import type { ServedTenants } from '../../../core/queue/served-tenants.ts'
import { retryLogLevel } from '../../../core/tenant/unavailable-database.ts'
import { inTransaction } from '../../../core/transaction.ts'
import { QueueData, TenantData } from '../../../database/data.ts'
import type { Database } from '../../../database/executor.ts'
import { findReceipt, lockReceipt } from '../receipt/sql.ts'
import { type ActionRunOptions, attemptRun, runsAtOnce, toRunInput, updateReceiptStatus } from '../run/run.ts'
import { replaceRun } from '../run/sql.ts'
import { dueReceipts, dueRunsOf, nextDueRun, scanTenants } from './sql.ts'

export const actionQueueName = 'actions'

/** The due runs of a tenant that are read to find a receipt to run. */
const maxRunsRead = 50
/** The pause after a batch that failed as a whole, or after a database that could not be read. */
const retryAfterMs = 1000

export interface ActionRunsOptions {
  shared: Shared
  tenants: ServedTenants
  /** Seconds from each failed attempt to the next. */
  retrySeconds: readonly number[]
}

/** The action queues of all databases. */
export class ActionRuns implements QueueKind {
  readonly name = actionQueueName
  readonly #options: ActionRunsOptions
  /** On SQLite, the end of the batch that was started last. */
  #lastBatch: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(options: ActionRunsOptions) {
    this.#options = options
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  createQueue(): Queue {
    return new ActionQueue(this.#options, this)
  }

  /** On SQLite a batch occupies the thread: batches run one by one, each followed by a pause of its duration. */
  async inTurn(database: Database, batch: () => Promise<void>): Promise<void> {
    if (database.dialect !== 'sqlite') return batch()
    const last = this.#lastBatch
    const run = async (): Promise<void> => {
      await last
      const beganMs = performance.now()
      await batch()
      await delay(performance.now() - beganMs)
    }
    this.#lastBatch = run()
    await this.#lastBatch
  }

  stop(): void {
    this.#isStopped = true
  }
}

/** The action queue of one database. The keys of its due index are tenants. */
class ActionQueue implements Queue {
  readonly name = actionQueueName
  readonly dueIndex = new DueIndex()
  readonly #options: ActionRunsOptions
  readonly #runs: ActionRuns
  /** Receipts whose batch failed as a whole, and until when they are skipped. */
  readonly #failedUntilMs = new Map<string, number>()
  #isRunning = false

  constructor(options: ActionRunsOptions, runs: ActionRuns) {
    this.#options = options
    this.#runs = runs
  }

  scan(database: Database): Promise<ReadonlyMap<string, number>> {
    return scanTenants(new QueueData(database.executor))
  }

  /** No limit holds runs back, so no tenant has runs that could resume. */
  canResume(): boolean {
    return false
  }

  async poll(database: Database): Promise<Poll> {
    if (this.#isRunning || this.#nextTenant() === null) return nothingDue
    this.#isRunning = true
    return { ...nothingDue, begun: [this.#runAll(database)] }
  }

  /** A batch of each tenant in turn, until nothing is due. */
  async #runAll(database: Database): Promise<void> {
    for (let id = this.#nextTenant(); id !== null && !this.#runs.isStopped; id = this.#nextTenant()) {
      this.dueIndex.replace(id, null) // before the rows are read: a run that becomes pending later is noted again
      try {
        const dueMs = await this.#takeTurn(database, id)
        if (dueMs !== null) this.dueIndex.note(id, dueMs)
      } catch (error) {
        const { log } = this.#options.shared
        log[retryLogLevel(error)]({ err: error, tenantId: id }, 'actions of a tenant not run')
        this.dueIndex.note(id, this.#nowMs() + retryAfterMs)
        break
      }
    }
    this.#failedUntilMs.clear()
    this.#isRunning = false
  }

  /** @returns when the tenant is due next; `null` when it has no pending run, or is not served from this database */
  async #takeTurn(database: Database, tenantId: string): Promise<number | null> {
    const { shared, tenants } = this.#options
    const tenant = await tenants.find(tenantId)
    if (tenant?.isActive !== true || !(await tenants.areRowsIn(database, tenantId))) return null
    const data = new TenantData(tenant.id, database.executor)
    const due = await dueReceipts(data, shared.clock().toISOString(), maxRunsRead)
    if (due.length === 0) return nextDueRun(data)
    const nowMs = this.#nowMs()
    const receiptId = due.find((id) => (this.#failedUntilMs.get(id) ?? 0) <= nowMs)
    if (receiptId === undefined) return nowMs + retryAfterMs
    await this.#runs.inTurn(database, () =>
      this.#attemptBatch(tenantContext(shared, tenant, database), receiptId),
    )
    return nowMs
  }

  async #attemptBatch(context: Context, receiptId: string): Promise<void> {
    try {
      const { retrySeconds } = this.#options
      const ran = await withOwnerRights(context.shared, (rights) =>
        inTransaction(context, (inside) => runBatch(inside, receiptId, { retrySeconds, rights })),
      )
      if (ran > 0) return
    } catch (error) {
      const { tenant, shared } = context
      const detail = { err: error, tenantId: tenant.id, receipt: receiptId }
      shared.log[retryLogLevel(error)](detail, 'actions not run')
    }
    this.#failedUntilMs.set(receiptId, this.#nowMs() + retryAfterMs)
  }

  #nextTenant(): string | null {
    return this.dueIndex.firstDue(this.#nowMs())
  }

  #nowMs(): number {
    return this.#options.shared.clock().getTime()
  }
}

/** Runs only what is still due: another instance or a replay may have been faster. @returns the number of runs */
async function runBatch(inside: Context, receiptId: string, options: ActionRunOptions): Promise<number> {
  await lockReceipt(inside.data, receiptId)
  const receipt = await findReceipt(inside.data, receiptId)
  if (receipt === null) return 0
  const limit = runsAtOnce(receipt.body.length)
  const due = await dueRunsOf(inside.data, receiptId, { now: now(inside), limit })
  if (due.length === 0) return 0
  options.rights.require(due.map(({ owner }) => ({ tenantId: inside.tenant.id, owner })))
  const input = toRunInput(receipt)
  for (const run of due) await replaceRun(inside.data, await attemptRun(inside, run, input, options))
  await updateReceiptStatus(inside, receiptId)
  return due.length
}
