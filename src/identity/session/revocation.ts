/** Ends sessions, and remembers those whose access tokens have not expired yet. */

import { type Context, now } from '../../core/context.ts'
import type { CatalogueData } from '../../database/data.ts'
import { resync } from '../../database/executor.ts'
import { accessTokenSeconds } from './access-token.ts'
import { liveSessionsOf, revokeSessionRow, revokeSessionRowsOfTenant, sessionsRevokedSince } from './sql.ts'

/**
 * A session that was revoked longer ago has no valid token left. Measured by the monotonic clock: the system clock may be
 * set ahead and back, which would drop sessions too early.
 */
export const memoryMs = (accessTokenSeconds + 60) * 1000

export class RevokedSessions {
  readonly #catalogue: CatalogueData
  readonly #clock: () => Date
  /** When this instance learned of each revocation. */
  readonly #heardAtMs = new Map<string, number>()

  constructor(catalogue: CatalogueData, clock: () => Date) {
    this.#catalogue = catalogue
    this.#clock = clock
  }

  has(sessionId: string): boolean {
    return this.#heardAtMs.has(sessionId)
  }

  /** Reads sessions that were revoked before this instance listened for changes. @throws DatabaseUnavailable */
  async load(): Promise<void> {
    const since = new Date(this.#clock().getTime() - memoryMs).toISOString()
    const nowMs = performance.now()
    for (const id of await sessionsRevokedSince(this.#catalogue, since)) this.#heardAtMs.set(id, nowMs)
  }

  /** @returns when what was announced is taken in */
  async invalidate(change: string): Promise<void> {
    if (change === resync) return this.load()
    if (!change.startsWith(sessionChangePrefix)) return
    this.#forgetOld()
    this.#heardAtMs.set(change.slice(sessionChangePrefix.length), performance.now())
  }

  /** The map keeps the order of insertion, the oldest first. */
  #forgetOld(): void {
    const oldest = performance.now() - memoryMs
    for (const [id, heardAtMs] of this.#heardAtMs) {
      if (heardAtMs > oldest) return
      this.#heardAtMs.delete(id)
    }
  }
}

/** The prefix of the notice that a session has ended; its id follows. */
export const sessionChangePrefix = 'session:'

/** Inside a transaction: ends the refresh tokens of the session now, and its access tokens on every instance within a second. */
export async function revokeSession(inside: Context, sessionId: string): Promise<void> {
  if (await revokeSessionRow(inside.catalogue, sessionId, now(inside))) {
    await inside.transaction?.announce(`${sessionChangePrefix}${sessionId}`)
  }
}

/** Inside a transaction: signs the user out everywhere. @param exceptId a session that stays, or `null` */
export async function revokeSessionsOf(
  inside: Context,
  accountId: string,
  exceptId: string | null = null,
): Promise<void> {
  for (const id of await liveSessionsOf(inside.catalogue, accountId, now(inside))) {
    if (id !== exceptId) await revokeSession(inside, id)
  }
}

/** Inside a transaction: signs every user of the tenant out. */
export async function revokeSessionsOfTenant(inside: Context, tenantId: string): Promise<void> {
  if ((await revokeSessionRowsOfTenant(inside.catalogue, tenantId, now(inside))) > 0) {
    await inside.transaction?.announce(resync) // every instance reads them again, because there may be many
  }
}
