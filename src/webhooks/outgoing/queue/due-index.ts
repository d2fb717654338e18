/**
 * When each line is due, as far as this instance knows: a hint that saves looking at every line for every event.
 * The database decides; a walk over its lines now and then brings in what other instances have left there.
 */

import { parseLine } from './lane.ts'
import type { Slots } from './slots.ts'

export interface Grant {
  line: string
  /** At most so many of it may be claimed. */
  most: number
}

export class DueIndex {
  /** In the order of service: who was served goes to the end. */
  readonly #lines = new Map<string, number>()
  /** Since the walk began that is under way: newer than what it finds. */
  readonly #noted = new Set<string>()

  get size(): number {
    return this.#lines.size
  }

  /** The earlier moment counts. */
  note(line: string, dueMs: number): void {
    this.#noted.add(line)
    const known = this.#lines.get(line)
    if (known === undefined || dueMs < known) this.#lines.set(line, dueMs)
  }

  /** What is known after a look at the line. @param dueMs `null`: nothing waits there */
  served(line: string, dueMs: number | null): void {
    this.#lines.delete(line)
    if (dueMs !== null) this.#lines.set(line, dueMs)
  }

  beginWalk(): void {
    this.#noted.clear()
  }

  /** @param found every line there is, with its moment */
  endWalk(found: ReadonlyMap<string, number>): void {
    for (const line of this.#lines.keys()) {
      if (!found.has(line) && !this.#noted.has(line)) this.#lines.delete(line)
    }
    for (const [line, dueMs] of found) {
      if (this.#noted.has(line)) this.note(line, dueMs)
      else this.#lines.set(line, dueMs)
    }
    this.#noted.clear()
  }

  dueLines(nowMs: number): string[] {
    return [...this.#lines].filter(([, dueMs]) => dueMs <= nowMs).map(([line]) => line)
  }

  /** Whether one of those that are due fits, without making a list of them all. */
  someDue(nowMs: number, fits: (line: string) => boolean): boolean {
    for (const [line, dueMs] of this.#lines) if (dueMs <= nowMs && fits(line)) return true
    return false
  }

  /** The earliest moment, past or not. */
  oldest(): number | null {
    return this.#lines.size === 0
      ? null
      : [...this.#lines.values()].reduce((one, other) => Math.min(one, other))
  }

  /** The next moment at which a line falls due, `null` for none; those that are due already do not count. */
  nextAfter(nowMs: number): number | null {
    let next: number | null = null
    for (const dueMs of this.#lines.values())
      if (dueMs > nowMs && (next === null || dueMs < next)) next = dueMs
    return next
  }
}

/**
 * Shares the free slots among the lines that are due, evenly at first; what one leaves goes to those behind it.
 * The slots are taken; what is not claimed has to be given back.
 * @param most of all lines together
 */
export function allot(lines: readonly string[], slots: Slots, most: number): Grant[] {
  const grants: Grant[] = []
  let left = most
  for (const [index, name] of lines.entries()) {
    if (left <= 0) break
    const line = parseLine(name)
    const share = Math.ceil(left / (lines.length - index))
    const number = Math.min(share, slots.free(line))
    if (number === 0) continue
    slots.take(line, number)
    grants.push({ line: name, most: number })
    left -= number
  }
  return grants
}
