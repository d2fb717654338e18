/** Two who change the same thing at the same time: what is merged, and what has to be asked. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { changedMembers, mergeChanges } from '../../assets/console/component/merge.ts'

const base = { name: 'Desk', price: 1, tags: ['a'], note: null as string | null }

describe('A change of some members', () => {
  it('names those that differ from what was loaded', () => {
    assert.deepEqual(changedMembers(base, { ...base, tags: ['a', 'b'], note: 'x' }), {
      tags: ['a', 'b'],
      note: 'x',
    })
    assert.deepEqual(changedMembers(base, { ...base, tags: ['a'] }), {})
    assert.deepEqual(changedMembers({ note: 'x' as string | null }, { note: null }), { note: null })
  })
})

describe('Two changes of the same version', () => {
  it('are merged when they are of different members', () => {
    const merged = mergeChanges(base, { ...base, name: 'Oak desk' }, { ...base, price: 2 })
    assert.deepEqual(merged, { values: { ...base, name: 'Oak desk', price: 2 }, overlap: [] })
  })

  it('are merged when they are the same, also of lists', () => {
    const yours = { ...base, tags: ['a', 'b'], note: 'x' }
    const theirs = { ...base, tags: ['a', 'b'], price: 3 }
    assert.deepEqual(mergeChanges(base, yours, theirs), {
      values: { ...base, tags: ['a', 'b'], note: 'x', price: 3 },
      overlap: [],
    })
  })

  it('overlap in the members that both have changed differently, whose stored values are in what is merged', () => {
    const yours = { ...base, name: 'Oak desk', tags: ['b'], note: 'mine' }
    const theirs = { ...base, name: 'Elm desk', tags: ['c'], price: 2 }
    assert.deepEqual(mergeChanges(base, yours, theirs), {
      values: { name: 'Elm desk', price: 2, tags: ['c'], note: 'mine' },
      overlap: ['name', 'tags'],
    })
  })

  it('take nothing back that only the others have changed, nor what they have added or removed', () => {
    assert.deepEqual(mergeChanges(base, base, { ...base, name: 'Elm desk', note: 'theirs' }).values, {
      ...base,
      name: 'Elm desk',
      note: 'theirs',
    })
    const before: Record<string, unknown> = { a: 1, b: 1 }
    assert.deepEqual(mergeChanges(before, { a: 2, b: 1 }, { a: 1, c: 1 }), {
      values: { a: 2, c: 1 },
      overlap: [],
    })
  })
})
