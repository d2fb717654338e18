/** Checks all open connections of a kind with one timer, because a timer for each takes memory. */
import { TimeSlice } from '../database/time-slice.ts'

export interface Checked {
  check(): void
}

export class PeriodicCheck {
  readonly #intervalMs: number
  readonly #checked = new Set<Checked>()
  #timer: NodeJS.Timeout | null = null
  #isChecking = false

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs
  }

  /** @returns a function that ends the checks */
  watch(checked: Checked): () => void {
    this.#checked.add(checked)
    this.#timer ??= setInterval(() => void this.#checkAll(), this.#intervalMs).unref()
    return () => this.#forget(checked)
  }

  async #checkAll(): Promise<void> {
    if (this.#isChecking) return
    this.#isChecking = true
    const slice = new TimeSlice()
    for (const checked of this.#checked) {
      checked.check()
      await slice.pause()
    }
    this.#isChecking = false
  }

  #forget(checked: Checked): void {
    this.#checked.delete(checked)
    if (this.#checked.size > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }
}
