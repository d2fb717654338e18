/** Sessions whose access tokens must no longer work although they have not expired yet. */
import type { CatalogueData } from '../../database/data.ts'
import { resync } from '../../database/executor.ts'
import { accessTokenSeconds } from './access-token.ts'
import { sessionChangePrefix } from './revoke.ts'
import { sessionsRevokedSince } from './sql.ts'

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
