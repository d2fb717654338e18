/** Ends sessions, and remembers those whose access tokens have not expired yet. */

import { type Context, now } from '../../core/context.ts'
import type { CatalogueData } from '../../database/data.ts'
import { resync } from '../../database/executor.ts'
import { accessTokenSeconds } from './access-token.ts'
import { liveSessionsOf, revokeSessionRow, revokeSessionRowsOfTenant, sessionsRevokedSince } from './sql.ts'

/**
 * Revoked longer ago than this, a session has no living token left. Measured by a clock that nobody sets: one that was
 * set ahead and back again would forget what is still needed.
 */
export const memoryMs = (accessTokenSeconds + 60) * 1000

export class RevokedSessions {
  readonly #catalogue: CatalogueData
  readonly #clock: () => Date
  /** When each was heard of. */
  readonly #heardAtMs = new Map<string, number>()

  constructor(catalogue: CatalogueData, clock: () => Date) {
    this.#catalogue = catalogue
    this.#clock = clock
  }

  has(sessionId: string): boolean {
    return this.#heardAtMs.has(sessionId)
  }

  /** Reads what was revoked while nobody listened. @throws DatabaseUnavailable */
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

  /** The map keeps the order of insertion: the oldest come first. */
  #forgetOld(): void {
    const oldest = performance.now() - memoryMs
    for (const [id, heardAtMs] of this.#heardAtMs) {
      if (heardAtMs > oldest) return
      this.#heardAtMs.delete(id)
    }
  }
}

/** What is announced when a session ends; followed by its id. */
export const sessionChangePrefix = 'session:'

/** Inside a transaction: the session's refresh tokens end now, its access tokens within a second, everywhere. */
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
    await inside.transaction?.announce(resync) // there may be many: every instance reads them again
  }
}
