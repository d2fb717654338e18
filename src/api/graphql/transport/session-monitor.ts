/** Checks periodically whether the sessions of open connections are still admitted. */
import type { CredentialSource } from '../../../core/authenticator.ts'
import { TimeSlice } from '../../../database/time-slice.ts'

const checkIntervalMs = 500

export interface MonitoredSession {
  credentials: CredentialSource
  tenantId: string
  /** Called once, when the session is no longer admitted. */
  leave(): void
}

export class SessionMonitor {
  readonly #isAdmitted: (credentials: CredentialSource, tenantId: string) => Promise<boolean>
  readonly #sessions = new Set<MonitoredSession>()
  /** Sessions whose check waits, perhaps for a slow database. */
  readonly #inCheck = new Set<MonitoredSession>()
  #timer: NodeJS.Timeout | null = null
  /** Whether a round is under way, in which a check of each session begins. */
  #isBeginning = false

  /** @param isAdmitted never rejects */
  constructor(isAdmitted: (credentials: CredentialSource, tenantId: string) => Promise<boolean>) {
    this.#isAdmitted = isAdmitted
  }

  /** @param session whose credentials may be replaced by renewed ones @returns a function that ends the watch */
  watch(session: MonitoredSession): () => void {
    this.#sessions.add(session)
    this.#timer ??= setInterval(() => void this.#checkAll(), checkIntervalMs).unref()
    return () => this.#forget(session)
  }

  /** Begins the checks of a round and waits for none of them: a slow database delays only the sessions that need it. */
  async #checkAll(): Promise<void> {
    if (this.#isBeginning) return
    this.#isBeginning = true
    const slice = new TimeSlice()
    for (const session of this.#sessions) {
      if (!this.#inCheck.has(session)) void this.#check(session)
      await slice.pause()
    }
    this.#isBeginning = false
  }

  async #check(session: MonitoredSession): Promise<void> {
    const { credentials, tenantId } = session
    this.#inCheck.add(session)
    const isAdmitted = await this.#isAdmitted(credentials, tenantId)
    this.#inCheck.delete(session)
    if (isAdmitted) return
    if (!this.#sessions.has(session) || session.credentials !== credentials) return
    this.#forget(session)
    session.leave()
  }

  #forget(session: MonitoredSession): void {
    this.#sessions.delete(session)
    if (this.#sessions.size > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }
}
