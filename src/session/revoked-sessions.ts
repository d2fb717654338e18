/** Sessions whose access tokens must no longer work although they have not expired yet. */
import type { CatalogueData } from '../database/data.ts'
import { resync } from '../database/executor.ts'
import { accessTokenSeconds } from './access-token.ts'
import { sessionChangePrefix } from './revoke.ts'
import { sessionsRevokedSince } from './sql.ts'

/** Revoked longer ago than this, a session has no living token left. */
const memoryMs = (accessTokenSeconds + 60) * 1000

export class RevokedSessions {
  readonly #catalogue: CatalogueData
  readonly #clock: () => Date
  readonly #revokedAtMs = new Map<string, number>()

  constructor(catalogue: CatalogueData, clock: () => Date) {
    this.#catalogue = catalogue
    this.#clock = clock
  }

  has(sessionId: string): boolean {
    return this.#revokedAtMs.has(sessionId)
  }

  /** Reads what was revoked while nobody listened. @throws DatabaseUnavailable */
  async load(): Promise<void> {
    const nowMs = this.#clock().getTime()
    const since = new Date(nowMs - memoryMs).toISOString()
    for (const id of await sessionsRevokedSince(this.#catalogue, since)) this.#revokedAtMs.set(id, nowMs)
  }

  /** @returns when what was announced is taken in */
  async heed(change: string): Promise<void> {
    if (change === resync) return this.load()
    if (!change.startsWith(sessionChangePrefix)) return
    this.#forgetOld()
    this.#revokedAtMs.set(change.slice(sessionChangePrefix.length), this.#clock().getTime())
  }

  /** The map keeps the order of insertion: the oldest come first. */
  #forgetOld(): void {
    const oldest = this.#clock().getTime() - memoryMs
    for (const [id, revokedAtMs] of this.#revokedAtMs) {
      if (revokedAtMs > oldest) return
      this.#revokedAtMs.delete(id)
    }
  }
}
