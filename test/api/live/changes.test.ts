/** What a batch of events did to rows. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { changesIn } from '../../../src/api/live/changes.ts'
import { stateText } from '../../../src/core/events/state.ts'

type Row = { version: number; state: string }

const isChange = (type: string) => type.startsWith('task.')

describe('The changes of a batch', () => {
  it('have the order of the versions of a row, although the clock of an instance is ahead', () => {
    const opened = { version: 1, state: 'open' }
    const done = { version: 2, state: 'done' }
    const reopened = { version: 3, state: 'open' }
    const [change] = changesIn([event(done, reopened), event(opened, done)], isChange)
    assert.equal(change?.version, 3)
    assert.deepEqual(change?.states, [opened, done, reopened].map(known))
  })

  it('end with the deletion of a row, whose version is that of its last state', () => {
    const opened = { version: 1, state: 'open' }
    const done = { version: 2, state: 'done' }
    const [change] = changesIn([event(done, null), event(opened, done), event(null, opened)], isChange)
    assert.equal(change?.version, 2)
    assert.equal(change?.changed, null)
    assert.deepEqual(change?.states, [null, known(opened), known(done), null])
  })
})

function event(before: Row | null, after: Row | null) {
  const text = stateText({ kept: ['state'], all: ['state'], before, after })
  return { id: 'evt_1', type: 'task.changed', data: '{"taskId":"1"}', state: text, cursor: '1' }
}

function known({ state }: Row) {
  return { state, id: '1' }
}
