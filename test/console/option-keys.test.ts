/** The keys in a list of options, of which some are not loaded yet. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { movedOption } from '../../assets/console/component/option-keys.ts'

describe('The chosen option', () => {
  it('moves with the arrows, to the last and back to the first', () => {
    assert.deepEqual([movedOption('ArrowDown', 0, 3), movedOption('ArrowDown', 2, 3)], [1, 2])
    assert.deepEqual([movedOption('ArrowUp', 2, 3), movedOption('ArrowUp', 0, 3)], [1, 0])
    assert.equal(movedOption('Enter', 1, 3), null)
  })

  it('is the first one when options arrive after the key', () => {
    assert.equal(movedOption('ArrowDown', 0, 0), 0)
    assert.equal(movedOption('ArrowUp', 0, 0), 0)
  })
})
