/** Looks now and then whether those whose connections stay open are still to be let in. */
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

  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    for (const guest of [...this.#guests]) {
      if (await this.#isAdmitted(guest.authorization, guest.tenantId)) continue
      if (!this.#guests.has(guest)) continue
      this.#forget(guest)
      guest.leave()
    }
    this.#isLooking = false
  }

  #forget(guest: Guest): void {
    this.#guests.delete(guest)
    if (this.#guests.size > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }
}
