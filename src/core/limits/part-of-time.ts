/** Gives a read only a part of its operation's remaining time, so that a slow read leaves time to the other reads. */
import { DatabaseBusy, StatementTimedOut, type TimeAllowance } from '../../database/executor.ts'

export class PartOfTime implements TimeAllowance {
  readonly #whole: TimeAllowance
  #leftMs: number

  constructor(whole: TimeAllowance, maxMs: number) {
    this.#whole = whole
    this.#leftMs = maxMs
  }

  get leftMs(): number {
    return Math.min(this.#leftMs, this.#whole.leftMs)
  }

  set leftMs(leftMs: number) {
    const spentMs = this.leftMs - leftMs
    this.#leftMs -= spentMs
    this.#whole.leftMs -= spentMs
  }
}

/** @returns `null` for a read that takes too long, or that too many others keep waiting */
export async function inTimeOrNull<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof StatementTimedOut || error instanceof DatabaseBusy) return null
    throw error
  }
}
