import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'

const pollMs = 20

/** For what has no bound of its own: a busy machine may take its time, and a test that waits in vain has an end. */
export const soonMs = 15_000

/**
 * Asks again and again until `holds`; fails when that takes longer than it may.
 * @returns how long it took, in milliseconds
 */
export async function eventually(
  what: string,
  withinMs: number,
  holds: () => Promise<boolean>,
): Promise<number> {
  const began = performance.now()
  while (!(await holds())) {
    const tookMs = performance.now() - began
    assert.ok(tookMs < withinMs, `${what}: not within ${withinMs} ms`)
    await delay(pollMs)
  }
  return performance.now() - began
}
