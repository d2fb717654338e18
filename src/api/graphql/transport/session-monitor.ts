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
  #timer: NodeJS.Timeout | null = null
  #isChecking = false

  constructor(isAdmitted: (credentials: CredentialSource, tenantId: string) => Promise<boolean>) {
    this.#isAdmitted = isAdmitted
  }

  /** @param session whose credentials may be replaced by renewed ones @returns a function that ends the watch */
  watch(session: MonitoredSession): () => void {
    this.#sessions.add(session)
    this.#timer ??= setInterval(() => void this.#checkAll(), checkIntervalMs).unref()
    return () => this.#forget(session)
  }

  /** Checks all sessions concurrently: a slow database delays only those that need it. */
  async #checkAll(): Promise<void> {
    if (this.#isChecking) return
    this.#isChecking = true
    const checks: Promise<void>[] = []
    const slice = new TimeSlice()
    for (const session of this.#sessions) {
      checks.push(this.#check(session))
      await slice.pause()
    }
    await Promise.all(checks)
    this.#isChecking = false
  }

  async #check(session: MonitoredSession): Promise<void> {
    const { credentials, tenantId } = session
    if (await this.#isAdmitted(credentials, tenantId)) return
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
