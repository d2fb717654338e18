/** Looks at all streams of followed lists with one timer. */
import { TimeSlice } from '../../database/time-slice.ts'
import type { ListStream } from './list-stream.ts'

const checkIntervalMs = 500

export class StreamMonitor {
  readonly #intervalMs: number
  readonly #streams = new Set<ListStream>()
  #timer: NodeJS.Timeout | null = null
  #isChecking = false

  /** @param quietMs after which a stream tells its cursor */
  constructor(quietMs: number) {
    this.#intervalMs = Math.min(checkIntervalMs, quietMs)
  }

  /** @returns ends the watch */
  watch(stream: ListStream): () => void {
    this.#streams.add(stream)
    this.#timer ??= setInterval(() => void this.#checkAll(), this.#intervalMs).unref()
    return () => this.#forget(stream)
  }

  async #checkAll(): Promise<void> {
    if (this.#isChecking) return
    this.#isChecking = true
    const slice = new TimeSlice()
    for (const stream of this.#streams) {
      stream.check()
      await slice.pause()
    }
    this.#isChecking = false
  }

  #forget(stream: ListStream): void {
    this.#streams.delete(stream)
    if (this.#streams.size > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }
}
