/**
 * Runs of actions that wait: those that failed, when they are due, and those beyond the first piece of a receipt.
 * Tenants take turns, a piece of one receipt each time. A piece is in one transaction with what it changes, under the
 * lock of its receipt, so that it needs no lease: what a crash interrupts has not happened.
 */

import { setTimeout as delay } from 'node:timers/promises'
import { type Context, now, type Shared } from '../../../core/context.ts'
import { tenantContext } from '../../../core/create-context.ts'
import { DueIndex } from '../../../core/queue/due-index.ts'
import { nothingDue, type Pass, type Queue, type QueueKind } from '../../../core/queue/queue.ts'
import type { ServedTenants } from '../../../core/queue/served-tenants.ts'
import { levelOf } from '../../../core/tenant/unavailable-database.ts'
import { inTransaction } from '../../../core/transaction.ts'
import { QueueData, TenantData } from '../../../database/data.ts'
import type { Database } from '../../../database/executor.ts'
import { findReceipt, lockReceipt } from '../receipt/sql.ts'
import { attemptRun, runsAtOnce, settleReceipt, subjectOf } from '../run/run.ts'
import { replaceRun } from '../run/sql.ts'
import { dueReceipts, dueRunsOf, nextDueRun, walkTenants } from './sql.ts'

export const actionQueueName = 'actions'

/** Of a tenant, read to find a receipt that can be tried. */
const maxRunsRead = 50
/** After a piece that could not be tried, or a database that could not be read. */
const retryAfterMs = 1000

export interface ActionRunsOptions {
  shared: Shared
  tenants: ServedTenants
  /** Seconds from each failed attempt to the next. */
  retrySeconds: readonly number[]
}

/** The runs of all databases. */
export class ActionRuns implements QueueKind {
  readonly name = actionQueueName
  readonly #options: ActionRunsOptions
  /** The piece that has the thread at present, on SQLite. */
  #lastPiece: Promise<void> = Promise.resolve()
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

  /** A piece on SQLite has the thread to itself: pieces run one by one, and the others have as much of the time. */
  async inTurn(database: Database, piece: () => Promise<void>): Promise<void> {
    if (database.dialect !== 'sqlite') return piece()
    const last = this.#lastPiece
    const run = async (): Promise<void> => {
      await last
      const beganMs = performance.now()
      await piece()
      await delay(performance.now() - beganMs)
    }
    this.#lastPiece = run()
    await this.#lastPiece
  }

  stop(): void {
    this.#isStopped = true
  }
}

/** The runs of one database. A key is a tenant. */
class ActionQueue implements Queue {
  readonly dueIndex = new DueIndex()
  readonly #options: ActionRunsOptions
  readonly #runs: ActionRuns
  /** Receipts that could not be tried, and when they are tried again. */
  readonly #failedUntilMs = new Map<string, number>()
  #isRunning = false

  constructor(options: ActionRunsOptions, runs: ActionRuns) {
    this.#options = options
    this.#runs = runs
  }

  walk(database: Database): Promise<ReadonlyMap<string, number>> {
    return walkTenants(new QueueData(database.executor))
  }

  /** Nothing but the turns of the tenants holds a run back. */
  canResume(): boolean {
    return false
  }

  async pass(database: Database): Promise<Pass> {
    if (this.#isRunning || this.#nextTenant() === null) return nothingDue
    this.#isRunning = true
    return { ...nothingDue, begun: [this.#runAll(database)] }
  }

  /** A piece of each tenant in turn, until nothing is due. */
  async #runAll(database: Database): Promise<void> {
    for (let id = this.#nextTenant(); id !== null && !this.#runs.isStopped; id = this.#nextTenant()) {
      this.dueIndex.replace(id, null) // first: what begins to wait from here on is noted again
      try {
        const dueMs = await this.#takeTurn(database, id)
        if (dueMs !== null) this.dueIndex.note(id, dueMs)
      } catch (error) {
        const { log } = this.#options.shared
        log[levelOf(error)]({ err: error, tenantId: id }, 'actions of a tenant not tried again')
        this.dueIndex.note(id, this.#nowMs() + retryAfterMs)
        break
      }
    }
    this.#failedUntilMs.clear()
    this.#isRunning = false
  }

  /** @returns when the tenant is due next; `null` when nothing of it waits, or it is not served from this database */
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
      this.#tryPiece(tenantContext(shared, tenant, database), receiptId),
    )
    return nowMs
  }

  async #tryPiece(context: Context, receiptId: string): Promise<void> {
    try {
      const { retrySeconds } = this.#options
      const ran = await inTransaction(context, (inside) => runPiece(inside, receiptId, retrySeconds))
      if (ran > 0) return
    } catch (error) {
      const { tenant, shared } = context
      const detail = { err: error, tenantId: tenant.id, receipt: receiptId }
      shared.log[levelOf(error)](detail, 'actions not tried again')
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

/** Another instance, or a replay, may have been faster: only what is still due is run. @returns how many runs */
async function runPiece(inside: Context, receiptId: string, schedule: readonly number[]): Promise<number> {
  await lockReceipt(inside.data, receiptId)
  const receipt = await findReceipt(inside.data, receiptId)
  if (receipt === null) return 0
  const limit = runsAtOnce(receipt.body.length)
  const due = await dueRunsOf(inside.data, receiptId, { now: now(inside), limit })
  if (due.length === 0) return 0
  const subject = subjectOf(receipt)
  for (const run of due) await replaceRun(inside.data, await attemptRun(inside, run, subject, schedule))
  await settleReceipt(inside, receiptId)
  return due.length
}
