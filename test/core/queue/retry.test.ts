/** When a failed delivery is retried. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type FailedAttempt, nextAttempt } from '../../../src/core/queue/retry.ts'
import { runSeed } from '../../support/run/extent.ts'

const schedule = [5, 15, 60, 300, 900]
const now = new Date('2026-03-01T12:00:00.500Z')

function failed(members: Partial<FailedAttempt> = {}): FailedAttempt {
  return { schedule, attempts: 1, now, retryAfter: null, isGone: false, ...members }
}

/** Seconds to wait; throws for a delivery that is dead. */
function waits(members: Partial<FailedAttempt>): number {
  const next = nextAttempt(failed(members))
  assert.ok('at' in next, JSON.stringify(next))
  return (next.at.getTime() - now.getTime()) / 1000
}

describe('A failed delivery', () => {
  it('is tried again by the schedule, five times, and is dead then', () => {
    const made = [1, 2, 3, 4, 5].map((attempts) => waits({ attempts }))
    assert.deepEqual(made, schedule)
    assert.deepEqual(nextAttempt(failed({ attempts: 6 })), { dead: 'exhausted' })
    assert.deepEqual(nextAttempt(failed({ attempts: 60 })), { dead: 'exhausted' })
  })

  it('is dead at once without a schedule', () => {
    assert.deepEqual(nextAttempt(failed({ schedule: [] })), { dead: 'exhausted' })
  })

  it('is dead when the receiver is gone, whatever is left of the schedule', () => {
    assert.deepEqual(nextAttempt(failed({ isGone: true, retryAfter: '5' })), { dead: 'gone' })
    assert.deepEqual(nextAttempt(failed({ isGone: true, attempts: 6 })), { dead: 'gone' })
  })

  it('is dead after the last attempt, whatever the receiver asks for', () => {
    assert.deepEqual(nextAttempt(failed({ attempts: 6, retryAfter: '30' })), { dead: 'exhausted' })
  })
})

describe('Retry-After', () => {
  const cases: [string, number][] = [
    ['30', 30],
    [' 30 ', 30],
    ['3', 5], // never earlier than the schedule
    ['0', 5],
    ['3600', 3600],
    ['3601', 3600], // an hour at most
    ['9'.repeat(400), 3600],
    ['Sun, 01 Mar 2026 12:01:00 GMT', 59.5],
    ['Sunday, 01-Mar-26 12:01:00 GMT', 59.5],
    ['Sun Mar  1 12:01:00 2026', 59.5],
    ['Sun, 01 Mar 2026 12:00:02 GMT', 5],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 5], // past
    ['Thu, 01 Jan 1970 00:00:00 GMT', 5],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 3600],
    ['Sun, 99 Mar 2026 12:01:00 GMT', 5],
    ['Sun, 01 Mar 2026 12:01:00 PST', 5],
    ['2026-03-01T12:01:00Z', 5],
    ['-30', 5],
    ['+30', 5],
    ['30.5', 5],
    ['1e3', 5],
    ['0x40', 5],
    ['30, 60', 5],
    ['soon', 5],
    ['', 5],
  ]
  for (const [retryAfter, expected] of cases) {
    it(`${JSON.stringify(retryAfter.slice(0, 40))} means ${expected} s`, () => {
      assert.equal(waits({ retryAfter }), expected)
    })
  }

  it('puts off the later attempts too, and never shortens a longer wait of its own schedule', () => {
    assert.equal(waits({ attempts: 4, retryAfter: '299' }), 300)
    assert.equal(waits({ attempts: 4, retryAfter: '301' }), 301)
    assert.equal(waits({ schedule: [86_400], retryAfter: '3600' }), 86_400)
  })

  it('of any text is no earlier than the schedule and no later than an hour', () => {
    const digits = fc.bigInt({ min: 0n }).map(String)
    const dates = fc.date({ noInvalidDate: true }).map((date) => date.toUTCString())
    fc.assert(
      fc.property(
        fc.oneof(digits, dates, fc.string()),
        fc.integer({ min: 1, max: 5 }),
        (retryAfter, attempts) => {
          const wait = waits({ retryAfter, attempts })
          return wait >= (schedule[attempts - 1] ?? 0) && wait <= 3600
        },
      ),
      { seed: runSeed },
    )
  })
})
