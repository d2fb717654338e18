import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Jobs } from '../../../src/core/feature/job.ts'

describe('The interval of a job', () => {
  const job = (everyMs: number) => ({ name: 'clean up', everyMs, run: async () => undefined })

  it('is one that a timer waits for: Node.js would run others each millisecond', () => {
    for (const everyMs of [1, 5000, 2 ** 31 - 1]) assert.doesNotThrow(() => new Jobs([job(everyMs)]))
    for (const everyMs of [0, -1, Number.NaN, 2 ** 31, 30 * 24 * 60 * 60 * 1000])
      assert.throws(
        () => new Jobs([job(everyMs)]),
        /everyMs of the job clean up must be from 1 to 2147483647/,
      )
  })
})
