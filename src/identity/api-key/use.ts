/**
 * Records when keys were last used, and from which addresses they were refused. A
 * job writes both in the background.
 */
import { recordAudit } from '../../core/audit/audit.ts'
import type { Actor, Context } from '../../core/context.ts'
import type { IntervalJob } from '../../core/feature/job.ts'
import { inCatalogue } from '../../core/transaction.ts'
import type { KnownKey } from './known-key.ts'
import { keysOfAll } from './reach.ts'
import { setLastUse } from './sql.ts'

/** An instance records the use of a key at most once in this time. */
const intervalMs = 60_000
const writeEveryMs = 5000
/** On SQLite a transaction blocks the thread that serves requests. */
const keysPerTransaction = 50

interface Use {
  tenantId: string
  /** Milliseconds of Unix time. */
  ms: number
}

interface Refusal {
  actor: Actor
  address: string
}

export class ApiKeyUse {
  /** By the id of the key. */
  readonly #uses = new Map<string, Use>()
  readonly #refusals = new Map<string, Refusal>()

  readonly job: IntervalJob = {
    name: 'write uses of API keys',
    everyMs: writeEveryMs,
    run: (context, signal) => this.#write(context, signal),
  }

  noteUse(key: KnownKey, nowMs: number): void {
    if (nowMs - key.usedAtMs < intervalMs) return
    key.usedAtMs = nowMs
    this.#uses.set(key.actor.id, { tenantId: key.actor.tenantId, ms: nowMs })
  }

  noteRefusal(key: KnownKey, address: string, nowMs: number): void {
    if (nowMs - key.refusedAtMs < intervalMs) return
    key.refusedAtMs = nowMs
    this.#refusals.set(key.actor.id, { actor: key.actor, address })
  }

  /** If writing fails, uses and refusals are lost: the next ones of a key are recorded a minute later. */
  async #write(context: Context, signal: AbortSignal): Promise<void> {
    const uses = [...this.#uses]
    const refusals = [...this.#refusals.values()]
    this.#uses.clear()
    this.#refusals.clear()
    for (let from = 0; from < uses.length; from += keysPerTransaction) {
      signal.throwIfAborted()
      await inCatalogue(context, async (inside) => {
        const all = keysOfAll(inside)
        for (const [id, { tenantId, ms }] of uses.slice(from, from + keysPerTransaction))
          await setLastUse(all.ofTenant(tenantId), id, new Date(ms).toISOString())
      })
    }
    for (const { actor, address } of refusals) {
      await inCatalogue(context, (inside) =>
        recordAudit(inside, {
          action: 'apiKey.refused',
          tenantId: actor.tenantId,
          subjectType: 'apiKey',
          subjectId: actor.id,
          detail: { address },
          actor,
        }),
      )
    }
  }
}
