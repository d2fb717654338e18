/** Looks now and then whether those whose connections stay open are still to be let in. */
import { TimeSlice } from '../../../database/time-slice.ts'

const checkIntervalMs = 500

export interface MonitoredSession {
  /** The header `Authorization`, or `null`. */
  authorization: string | null
  tenantId: string
  /** Called once, when the session has to go. */
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

  /** @param session may change its token while it stays @returns to be called when it goes by itself */
  watch(session: MonitoredSession): () => void {
    this.#sessions.add(session)
    this.#timer ??= setInterval(() => void this.#checkAll(), checkIntervalMs).unref()
    return () => this.#forget(session)
  }

  /** All at once: where one has to be asked for in a database that is slow, the others do not wait. */
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
