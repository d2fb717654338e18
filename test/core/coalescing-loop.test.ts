/** Any number of wake-ups during a pass cause one more pass. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { CoalescingLoop } from '../../src/core/coalescing-loop.ts'

describe('A coalescing loop', () => {
  it('runs one pass at a time, and one more for all wake-ups during a pass', async () => {
    let passes = 0
    let running = 0
    const loop = new CoalescingLoop(async () => {
      passes++
      assert.equal(++running, 1)
      await nextTurn()
      running--
    }, assert.ifError)
    loop.wake()
    for (let count = 0; count < 10; count++) loop.wake()
    await loop.settled()
    assert.deepEqual([passes, loop.isRunning], [2, false])
    loop.wake()
    await loop.settled()
    assert.equal(passes, 3)
  })

  it('reports a pass that throws, and runs again at the next wake-up', async () => {
    const failures: unknown[] = []
    let passes = 0
    const loop = new CoalescingLoop(
      async () => {
        if (++passes === 1) throw new Error('first')
      },
      (error) => failures.push(error),
    )
    loop.wake()
    await loop.settled()
    assert.deepEqual([passes, failures.length, loop.isRunning], [1, 1, false])
    loop.wake()
    await loop.settled()
    assert.deepEqual([passes, failures.length], [2, 1])
  })
})
