/** Looks now and then whether those whose connections stay open are still to be let in. */
import { TimeSlice } from '../../../core/limits/time-slice.ts'

const everyMs = 500

export interface Guest {
  /** The header `Authorization`, or `null`. */
  authorization: string | null
  tenantId: string
  /** Called once, when the guest has to go. */
  leave(): void
}

export class Doorkeeper {
  readonly #isAdmitted: (authorization: string | null, tenantId: string) => Promise<boolean>
  readonly #guests = new Set<Guest>()
  #timer: NodeJS.Timeout | null = null
  #isLooking = false

  constructor(isAdmitted: (authorization: string | null, tenantId: string) => Promise<boolean>) {
    this.#isAdmitted = isAdmitted
  }

  /** @param guest may change its token while it stays @returns to be called when it goes by itself */
  watch(guest: Guest): () => void {
    this.#guests.add(guest)
    this.#timer ??= setInterval(() => void this.#look(), everyMs).unref()
    return () => this.#forget(guest)
  }

  /** All at once: where one has to be asked for in a database that is slow, the others do not wait. */
  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    const checks: Promise<void>[] = []
    const slice = new TimeSlice()
    for (const guest of this.#guests) {
      checks.push(this.#check(guest))
      await slice.pause()
    }
    await Promise.all(checks)
    this.#isLooking = false
  }

  async #check(guest: Guest): Promise<void> {
    const { authorization, tenantId } = guest
    if (await this.#isAdmitted(authorization, tenantId)) return
    if (!this.#guests.has(guest) || guest.authorization !== authorization) return
    this.#forget(guest)
    guest.leave()
  }

  #forget(guest: Guest): void {
    this.#guests.delete(guest)
    if (this.#guests.size > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }
}
