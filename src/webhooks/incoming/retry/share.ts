/** Tenants with something due take turns: one piece of one receipt each time, in a transaction of its own. */
import { setTimeout as delay } from 'node:timers/promises'
import { type Context, now, type Tenant } from '../../../core/context.ts'
import { tenantContext } from '../../../core/create-context.ts'
import { levelOf } from '../../../core/tenant/unavailable-database.ts'
import { inTransaction } from '../../../core/transaction.ts'
import type { Database } from '../../../database/executor.ts'
import { findReceipt, lockReceipt } from '../receipt/sql.ts'
import { runsAtOnce } from '../run/piece.ts'
import { attempt, settleReceipt, subjectOf } from '../run/run.ts'
import { replaceRun } from '../run/sql.ts'
import { dueRunsOf } from './sql.ts'

/** What is due of one tenant. */
export interface Share {
  readonly tenant: Tenant
  withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T>
  /** Those that have waited longest first. */
  receiptIds: string[]
  /** Runs that may still be taken. */
  left: number
  /** Nothing else was due. */
  readonly isAll: boolean
}

interface Turns {
  /** Seconds from each failed attempt to the next. */
  schedule: readonly number[]
  signal?: AbortSignal
}

/**
 * On SQLite, where a piece has the thread to itself, others have at least as much of the time.
 * @returns whether something was due that no share has; `false` when a piece has failed or was nobody’s: that can wait
 */
export async function takeTurns(
  operator: Context,
  shares: readonly Share[],
  { schedule, signal }: Turns,
): Promise<boolean> {
  let isMore = shares.some(({ isAll }) => !isAll)
  for (let open = shares.filter(isOpen); open.length > 0; open = open.filter(isOpen)) {
    for (const share of open) {
      if (signal?.aborted === true) return false
      isMore = (await takePiece(operator, share, schedule)) && isMore
    }
  }
  return isMore
}

function isOpen({ receiptIds, left }: Share): boolean {
  return receiptIds.length > 0 && left > 0
}

/** @returns whether something was run */
async function takePiece(operator: Context, share: Share, schedule: readonly number[]): Promise<boolean> {
  const [receiptId = ''] = share.receiptIds
  const { tenant } = share
  try {
    const taken = await share.withDatabase(async (database) => {
      const beganMs = performance.now()
      const context = tenantContext(operator.shared, tenant, database)
      const found = await inTransaction(context, (inside) => retryPiece(inside, receiptId, schedule))
      if (database.dialect === 'sqlite') await delay(performance.now() - beganMs)
      return found
    })
    share.left -= taken.runs
    if (!taken.isMore) share.receiptIds.shift()
    return taken.runs > 0
  } catch (error) {
    operator.shared.log[levelOf(error)](
      { err: error, tenantId: tenant.id, receipt: receiptId },
      'actions not tried again',
    )
    share.receiptIds.shift()
    return false
  }
}

/** Another instance, or a replay, may have been faster: only what is still due is run. */
async function retryPiece(
  inside: Context,
  receiptId: string,
  schedule: readonly number[],
): Promise<{ runs: number; isMore: boolean }> {
  await lockReceipt(inside.data, receiptId)
  const receipt = await findReceipt(inside.data, receiptId)
  if (receipt === null) return { runs: 0, isMore: false }
  const most = runsAtOnce(receipt.body.length)
  const found = await dueRunsOf(inside.data, receiptId, { now: now(inside), limit: most + 1 })
  if (found.length === 0) return { runs: 0, isMore: false }
  const due = found.slice(0, most)
  const subject = subjectOf(receipt)
  for (const run of due) await replaceRun(inside.data, await attempt(inside, run, subject, schedule))
  await settleReceipt(inside, receiptId)
  return { runs: due.length, isMore: found.length > most }
}
