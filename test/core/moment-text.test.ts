import assert from 'node:assert/strict'
import { it } from 'node:test'
import { momentText } from '../../src/core/moment-text.ts'

it('The text of a moment is its own, whatever was asked before', () => {
  const moments = [0, 0, 1, 1, 0, -1, 1_700_000_000_123, 1_700_000_000_124, 1_700_000_000_123, 8.64e15]
  for (const ms of moments) assert.equal(momentText(new Date(ms)), new Date(ms).toISOString())
})

it('A moment that is none has no text, and the next one has', () => {
  assert.throws(() => momentText(new Date(Number.NaN)), RangeError)
  assert.throws(() => momentText(new Date(Number.NaN)), RangeError)
  assert.equal(momentText(new Date(5)), '1970-01-01T00:00:00.005Z')
})
