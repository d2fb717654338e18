/** Records results, many in one transaction: attempts, next states of deliveries, and the health of subscriptions. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Shared } from '../../../core/context.ts'
import { serviceContext } from '../../../core/create-context.ts'
import { publish } from '../../../core/events/publish.ts'
import { Throttle } from '../../../core/limits/throttle.ts'
import { QueueData } from '../../../database/data.ts'
import { type Database, DatabaseUnavailable, type Transaction } from '../../../database/executor.ts'
import { subscriptionKey } from '../queue/key.ts'
import { type Health, healthAction, healthAfter } from './health.ts'
import {
  type DeliveryState,
  deactivateSubscription,
  insertAttempts,
  lockHealth,
  type SubscriptionHealth,
  updateDeliveries,
  writeHealth,
} from './sql.ts'
import { attemptRow, type DeliveryResult, isGone, stateAfter } from './state.ts'

/** Per transaction. While one runs, results gather for the next. */
const maxBatch = 200
const minRetryMs = 250
/** Much shorter than a lease: an attempt has to be recorded before its delivery is claimed again. */
const maxRetryMs = 2000
/** Results that arrive in between share a commit. */
const writeEveryMs = 10

interface PendingResult {
  result: DeliveryResult
  done(state: DeliveryState | null): void
}

/** Gathers results, and retries while the database is unavailable, so that no attempt is lost. */
export class Recorder {
  readonly database: Database
  readonly #shared: Shared
  readonly #pending: PendingResult[] = []
  readonly #throttle = new Throttle(writeEveryMs)
  readonly #signal: AbortSignal
  #isRunning = false
  /** Halved after each refusal of the database, which may be caused by the size, and doubled after each success. */
  #batchSize = maxBatch
  #refusals = 0

  /** @param signal after its abort, an unavailable database is not retried */
  constructor(shared: Shared, database: Database, signal: AbortSignal) {
    this.#shared = shared
    this.database = database
    this.#signal = signal
  }

  /** @returns the delivery's next state once it is on the disk; `null` when it could not be written */
  record(result: DeliveryResult): Promise<DeliveryState | null> {
    return new Promise((resolve) => {
      this.#pending.push({ result, done: resolve })
      if (!this.#isRunning) void this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#pending.length > 0) {
      if (this.#pending.length < this.#batchSize) await this.#throttle.wait()
      this.#throttle.begin()
      await this.#write(this.#pending.splice(0, this.#batchSize))
    }
    this.#isRunning = false
  }

  async #write(batch: PendingResult[]): Promise<void> {
    try {
      const results = batch.map(({ result }) => result)
      const states = await recordResults(this.#shared, this.database, results)
      this.#batchSize = Math.min(this.#batchSize * 2, maxBatch)
      this.#refusals = 0
      for (const [index, { done }] of batch.entries()) done(states[index] ?? null)
    } catch (error) {
      if (error instanceof DatabaseUnavailable) await this.#postpone(batch, error)
      else if (batch.length > 1) for (const each of batch) await this.#write([each])
      else this.#giveUp(batch, error)
    }
  }

  async #postpone(batch: PendingResult[], error: DatabaseUnavailable): Promise<void> {
    if (this.#signal.aborted) {
      this.#batchSize = maxBatch // so that a stop waits for few retries
      this.#giveUp(batch, error)
      return
    }
    this.#shared.log.warn({ err: error, attempts: batch.length }, 'attempts not recorded yet')
    this.#batchSize = Math.max(1, Math.floor(batch.length / 2))
    // A single result that is refused goes to the end: the cause may be its own, such as a locked row.
    if (batch.length === 1) this.#pending.push(...batch)
    else this.#pending.unshift(...batch)
    const waitMs = Math.min(minRetryMs * 2 ** this.#refusals++, maxRetryMs)
    await delay(waitMs, undefined, { signal: this.#signal }).catch(() => undefined) // a stop ends the wait
  }

  /** The deliveries are attempted again when their leases end. */
  #giveUp(batch: readonly PendingResult[], error: unknown): void {
    for (const { result, done } of batch) {
      this.#shared.log.error({ err: error, delivery: result.delivery.id }, 'attempt not recorded')
      done(null)
    }
  }
}

/** @returns the state of each delivery, which is written only if the lease is still held @throws DatabaseUnavailable */
function recordResults(
  shared: Shared,
  database: Database,
  results: readonly DeliveryResult[],
): Promise<DeliveryState[]> {
  const states = results.map(stateAfter)
  return database.transaction(async (transaction) => {
    const queue = new QueueData(transaction)
    // Locks subscriptions before deliveries, as a change of a subscription does.
    const health = await recordHealth(queue, results)
    await updateDeliveries(queue, states)
    await insertAttempts(queue, results.map(attemptRow))
    for (const each of health) await applyHealth(shared, { database, transaction, queue }, each, results)
    return states
  })
}

async function recordHealth(
  queue: QueueData,
  results: readonly DeliveryResult[],
): Promise<SubscriptionHealth[]> {
  const bySubscription = Map.groupBy(results, keyOf)
  const keys = [...bySubscription.values()].flatMap(([first]) =>
    first === undefined ? [] : [{ tenantId: first.delivery.tenantId, id: first.delivery.subscriptionId }],
  )
  const now = new Date(Math.max(...results.map(({ endedAt }) => endedAt.getTime()))).toISOString()
  const before = await lockHealth(queue, keys)
  const after = before.map((health) => {
    const next = (bySubscription.get(subscriptionKey(health.tenantId, health.id)) ?? []).reduce<Health>(
      (sum, { attempt, endedAt }) =>
        healthAfter(sum, { hasSucceeded: attempt.outcome === 'success', at: endedAt.toISOString() }),
      health,
    )
    const warnedAt = healthAction(next, now) === 'warn' ? now : next.warnedAt
    return { ...health, ...next, warnedAt }
  })
  await writeHealth(queue, after)
  return after
}

function keyOf({ delivery: { tenantId, subscriptionId } }: DeliveryResult): string {
  return subscriptionKey(tenantId, subscriptionId)
}

interface Inside {
  database: Database
  transaction: Transaction
  queue: QueueData
}

/** Warns about the subscription, or deactivates it, and publishes the event. */
async function applyHealth(
  shared: Shared,
  { database, transaction, queue }: Inside,
  health: SubscriptionHealth,
  results: readonly DeliveryResult[],
): Promise<void> {
  const { tenantId, id, failingSince } = health
  // Paths and queries of receivers are often secrets, and every subscriber of the tenant may get this event.
  const url = new URL(health.url).origin
  const own = results.filter((result) => keyOf(result) === subscriptionKey(tenantId, id))
  const now = own.at(-1)?.endedAt.toISOString() ?? shared.clock().toISOString()
  const context = () => serviceContext(shared, database, transaction)
  const reason = own.some(isGone) ? 'gone' : healthAction(health, now) === 'deactivate' ? 'failing' : null
  if (reason !== null) {
    const wasActive = await deactivateSubscription(queue, { tenantId, id, reason, now })
    if (!wasActive) return
    await publish(
      context(),
      'webhook.deactivated',
      { subscriptionId: id, url, reason, failingSince },
      tenantId,
    )
  } else if (health.warnedAt === now && failingSince !== null) {
    await publish(context(), 'webhook.failing', { subscriptionId: id, url, failingSince }, tenantId)
  }
}
