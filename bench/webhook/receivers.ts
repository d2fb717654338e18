import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Arrivals, Question } from './receiver.ts'

/** The process of the receivers. */
export class Receivers {
  readonly #child: ChildProcess
  readonly url: string

  private constructor(child: ChildProcess, url: string) {
    this.#child = child
    this.url = url
  }

  static async start(): Promise<Receivers> {
    const child = fork(join(import.meta.dirname, 'receiver.ts'))
    const [url] = await once(child, 'message')
    return new Receivers(child, url)
  }

  /** Forgets what has come so far. */
  async begin(): Promise<void> {
    await this.#ask('begin')
  }

  /** Waits until so many have come since the beginning. @throws Error when they do not come */
  async received(count: number, withinMs: number): Promise<Arrivals> {
    const limit = performance.now() + withinMs
    for (;;) {
      const arrivals = await this.#ask('report')
      if (arrivals.count >= count) return arrivals
      if (performance.now() > limit) throw new Error(`${arrivals.count} of ${count} deliveries came.`)
      await sleep(50)
    }
  }

  stop(): void {
    this.#child.disconnect()
  }

  async #ask(question: Question): Promise<Arrivals> {
    this.#child.send(question)
    const [answer] = await once(this.#child, 'message')
    return answer as Arrivals // it answers each question so
  }
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
