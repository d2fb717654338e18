import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { SlidingWindow } from '../../../../src/api/http/rate-limit/sliding-window.ts'
import type { Policy } from '../../../../src/core/settings/rate-limit-policy.ts'
import { runSeed } from '../../../support/run/extent.ts'

const strict: Policy = { name: 'strict', requests: 5, seconds: 10 }

describe('A sliding window', () => {
  let now = 0
  const windowOf = (policy: Policy, maxKeys = 10) => new SlidingWindow(policy, maxKeys, () => now)
  const allowedAt = (window: SlidingWindow, moments: readonly number[]): number[] =>
    moments.filter((moment) => {
      now = moment
      return window.count('client').isAllowed
    })

  it('lets five through in any ten seconds, also where a fixed window would begin anew', () => {
    const burst = [9_500, 9_600, 9_700, 9_800, 10_100, 10_200, 10_300, 10_400]
    assert.deepEqual(allowedAt(windowOf(strict), [0, ...burst]), [0, 9_500, 9_600, 9_700, 9_800, 10_100])
  })

  it('says when the next one is allowed, and then it is', () => {
    const window = windowOf(strict)
    allowedAt(window, [1000, 2000, 3000, 4000, 5000])
    now = 6000
    const { isAllowed, remaining, waitMs } = window.count('client')
    assert.deepEqual([isAllowed, remaining], [false, 0])
    now += waitMs - 1
    assert.equal(window.count('client').isAllowed, false)
    now += 1
    assert.equal(window.count('client').isAllowed, true)
    assert.equal(window.count('client').isAllowed, false)
  })

  it('lets no more through than the policy says in any period; up to 32 it refuses nothing else', () => {
    const policies = fc.record({
      name: fc.constant('any'),
      requests: fc.integer({ min: 1, max: 100 }),
      seconds: fc.integer({ min: 1, max: 5 }),
    })
    const pauses = fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 1, maxLength: 300 })
    fc.assert(
      fc.property(policies, pauses, fc.nat(100_000), (policy, waits, begin) => {
        const windowMs = policy.seconds * 1000
        const window = windowOf(policy)
        const allowed: number[] = []
        now = begin
        for (const wait of waits) {
          now += wait
          const recent = allowed.filter((moment) => moment > now - windowMs).length
          const { isAllowed, remaining } = window.count('client')
          if (isAllowed) allowed.push(now)
          const isFree = recent < policy.requests
          assert.ok(isFree || !isAllowed, 'too many')
          const expected = [isFree, policy.requests - recent - Number(isFree)]
          if (policy.requests <= 32) assert.deepEqual([isAllowed, remaining], expected)
        }
      }),
      { numRuns: 300, seed: runSeed },
    )
  })

  it('of many requests refuses at most a 32nd of the period too long', () => {
    const policy = { name: 'many', requests: 1000, seconds: 64 }
    const window = windowOf(policy)
    now = 500
    for (let count = 0; count < 1000; count++) assert.equal(window.count('client').isAllowed, true)
    now = 64_400
    assert.equal(window.count('client').isAllowed, false)
    now = 64_500 + 4000
    assert.equal(window.count('client').isAllowed, true)
  })

  it('keeps few moments of a client, and few clients', () => {
    const window = windowOf({ name: 'many', requests: 1_000_000, seconds: 60 }, 2)
    for (now = 0; now < 120_000; now += 10) window.count('client')
    for (const client of ['one', 'two']) window.count(client)
    assert.equal(window.count('client').remaining, 999_999)
  })
})
