/** Messages that have arrived and were not read yet. */
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'

const usualMs = 15_000

export class Inbox<T> {
  readonly #items: T[] = []
  #arrived: (() => void) | null = null

  get size(): number {
    return this.#items.length
  }

  put(item: T): void {
    this.#items.push(item)
    this.#arrived?.()
  }

  /** @throws AssertionError when nothing comes for long */
  async next(): Promise<T> {
    const item = await this.nextWithin(usualMs)
    assert.ok(item !== null, 'nothing has come')
    return item
  }

  /** @returns `null` when nothing has come */
  async nextWithin(ms: number): Promise<T | null> {
    if (this.#items.length === 0) {
      const heard = new AbortController()
      this.#arrived = () => heard.abort()
      await delay(ms, null, { signal: heard.signal }).catch(() => null)
      this.#arrived = null
    }
    return this.#items.shift() ?? null
  }

  /** Messages that have arrived by now. */
  drain(): T[] {
    return this.#items.splice(0)
  }

  async take(count: number): Promise<T[]> {
    const taken: T[] = []
    while (taken.length < count) taken.push(await this.next())
    return taken
  }
}
