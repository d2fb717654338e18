/** Which rows of a list are ticked, after the list has changed. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { keepShown } from '../../assets/console/component/selection.ts'

const rows = (...ids: string[]) => ids.map((id) => ({ id }))

describe('The ticked rows of a list', () => {
  const ticked = { listKey: 'status=open', ids: new Set(['a', 'c']) }

  it('stay while they are shown', () => {
    assert.equal(keepShown(ticked, 'status=open', rows('a', 'b', 'c')), ticked)
  })

  it('are without those that have left the list', () => {
    assert.deepEqual([...keepShown(ticked, 'status=open', rows('c', 'd')).ids], ['c'])
    assert.deepEqual([...keepShown(ticked, 'status=open', []).ids], [])
  })

  it('are none in another list, although it has the same rows', () => {
    const other = keepShown(ticked, 'status=open&sort=-name', rows('a', 'b', 'c'))
    assert.deepEqual(other, { listKey: 'status=open&sort=-name', ids: new Set() })
  })
})
