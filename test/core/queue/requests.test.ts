/** What a queue is told while it reads its database is not lost. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DueIndex } from '../../../src/core/queue/due-index.ts'
import { PollSchedule } from '../../../src/core/queue/poll-schedule.ts'

const minuteMs = 60_000

function newSchedule(): PollSchedule {
  return new PollSchedule(minuteMs, () => new Date(), assert.fail)
}

/** A scan that nothing has asked for. */
function scan(schedule: PollSchedule): void {
  assert.equal(schedule.begin(), true)
  schedule.scanned(performance.now())
}

describe('A scan', () => {
  it('is due at its interval, and once after each request', () => {
    const schedule = newSchedule()
    scan(schedule)
    assert.equal(schedule.begin(), false)
    schedule.requestScan()
    scan(schedule)
    assert.equal(schedule.begin(), false)
  })

  it('follows a request that comes while another is in progress', () => {
    const schedule = newSchedule()
    assert.equal(schedule.begin(), true)
    schedule.requestScan()
    schedule.scanned(performance.now())
    scan(schedule)
    assert.equal(schedule.begin(), false)
  })

  it('stays due after a request until one has succeeded', () => {
    const schedule = newSchedule()
    scan(schedule)
    schedule.requestScan()
    assert.equal(schedule.begin(), true)
    schedule.failed()
    scan(schedule)
  })
})

describe('Work noted while a claim reads', () => {
  const claimed = (dueAt: string | null) => ({ nextDue: [{ key: 'a', dueAt }] })

  it('stays due, also where the claim found nothing more', async () => {
    const index = new DueIndex()
    index.note('a', 1)
    await index.serve(async () => {
      index.note('a', 5)
      return claimed(null)
    })
    assert.deepEqual([index.due(4), index.due(5)], [[], ['a']])
  })

  it('does not make work later that the claim found earlier', async () => {
    const index = new DueIndex()
    await index.serve(async () => {
      index.note('a', 5)
      return claimed(new Date(3).toISOString())
    })
    assert.deepEqual(index.due(3), ['a'])
  })

  it('is found once: what was noted before the claim is as the claim found it', async () => {
    const index = new DueIndex()
    index.note('a', 1)
    await index.serve(async () => claimed(null))
    assert.equal(index.size, 0)
  })
})
