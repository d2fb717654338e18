/** One line of the log for each key in an interval, for a bounded number of keys. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LogThrottle } from '../../../src/core/log/log-throttle.ts'

describe('A throttle of the log', () => {
  it('lets a key through once in an interval', () => {
    let now = 0
    const throttle = new LogThrottle({ intervalMs: 100, maxKeys: 10, nowMs: () => now })
    assert.deepEqual([throttle.isDue('a'), throttle.isDue('a'), throttle.isDue('b')], [true, false, true])
    now = 99
    assert.equal(throttle.isDue('a'), false)
    now = 100
    assert.equal(throttle.isDue('a'), true)
  })

  it('lets no more keys through in an interval than it may', () => {
    let now = 0
    const throttle = new LogThrottle({ intervalMs: 100, maxKeys: 2, nowMs: () => now })
    assert.deepEqual(
      ['a', 'b', 'c'].map((key) => throttle.isDue(key)),
      [true, true, false],
    )
    now = 100
    assert.equal(throttle.isDue('c'), true)
  })
})
