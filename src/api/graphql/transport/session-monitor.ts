/** Checks periodically whether the sessions of open connections are still admitted. */
import { TimeSlice } from '../../../database/time-slice.ts'

const checkIntervalMs = 500

export interface MonitoredSession {
  /** The header `Authorization`, or `null`. */
  authorization: string | null
  tenantId: string
  /** Called once, when the session is no longer admitted. */
  leave(): void
}

export class SessionMonitor {
  readonly #isAdmitted: (authorization: string | null, tenantId: string) => Promise<boolean>
  readonly #sessions = new Set<MonitoredSession>()
  #timer: NodeJS.Timeout | null = null
  #isChecking = false

  constructor(isAdmitted: (authorization: string | null, tenantId: string) => Promise<boolean>) {
    this.#isAdmitted = isAdmitted
  }

  /** @param session its token may be renewed @returns ends the watch */
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
    const { authorization, tenantId } = session
    if (await this.#isAdmitted(authorization, tenantId)) return
    if (!this.#sessions.has(session) || session.authorization !== authorization) return
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
