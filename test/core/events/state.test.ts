/** The state of a row that an event stores, and what subscribers read of it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readState, stateText } from '../../../src/core/events/state.ts'

describe('The stored state of a changed row', () => {
  const all = ['title', 'note', 'status']
  const read = (before: object, after: object) =>
    readState(
      stateText({ kept: all, all, before: { version: 1, ...before }, after: { version: 2, ...after } }),
    )

  it('has unchanged members before the change as after it', () => {
    const state = read({ title: 'a', note: 'b', status: null }, { title: 'c', note: 'b', status: null })
    assert.deepEqual(state, {
      version: 2,
      before: { title: 'a', note: 'b', status: null },
      after: { title: 'c', note: 'b', status: null },
      changed: ['title'],
    })
  })

  it('has no value before for a member that was absent, or too long to be stored', () => {
    const long = 'x'.repeat(201)
    const state = read({ note: long }, { title: 'c', note: 'b' })
    assert.deepEqual(state, {
      version: 2,
      before: {},
      after: { title: 'c', note: 'b' },
      changed: ['title', 'note'],
      long: ['note'],
    })
  })
})
