import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'

const pollMs = 20

/**
 * When to give up where a test states no limit of its own: generous, because the machine may be busy, and before a
 * service looks for what its notices have left lying.
 */
export const soonMs = 25_000

/**
 * Polls until `holds` is true, and fails if that takes longer than `withinMs`.
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
