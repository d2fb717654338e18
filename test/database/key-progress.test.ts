import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { DatabaseDamaged } from '../../src/database/executor.ts'
import { KeyProgress } from '../../src/database/key-progress.ts'

const counts = { before: fc.nat(300), round: fc.integer({ min: 1, max: 300 }) }

describe('A reader that goes on after the last key', () => {
  it('is ended within a few rounds when it comes by the same keys again', () => {
    fc.assert(
      fc.property(counts.before, counts.round, (before, round) => {
        const progress = new KeyProgress()
        const keyAt = (step: number) => `${step < before ? step : before + ((step - before) % round)}`
        const maxSteps = 4 * (before + round) + 4
        assert.throws(() => {
          for (let step = 0; step < maxSteps; step++) progress.advance(keyAt(step))
        }, DatabaseDamaged)
      }),
    )
  })

  it('goes on as long as keys are new', () => {
    const progress = new KeyProgress()
    for (let step = 0; step < 10_000; step++) progress.advance(`${step}`)
  })
})
