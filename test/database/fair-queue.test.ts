import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { FairQueue } from '../../src/database/fair-queue.ts'

describe('A fair queue', () => {
  it('gives turns to the flows of each level, and within a flow to the oldest', () => {
    const queue = filled(['a/x', 'a/x', 'a/x', 'a/y', 'b/z'])
    assert.deepEqual(drain(queue), ['a/x 0', 'b/z 4', 'a/y 3', 'a/x 1', 'a/x 2'])
  })

  it('serves a flow that comes late in its first turn, however long the others are', () => {
    const queue = filled(Array<string>(100).fill('a/x'))
    assert.equal(queue.shift(), 'a/x 0')
    queue.push(['b', 'y'], 'late')
    assert.deepEqual([queue.shift(), queue.shift()], ['a/x 1', 'late'])
  })

  it('removes the newest of the largest flow first, at each level', () => {
    const queue = filled(['a/x', 'b/y', 'b/z', 'b/z', 'a/w'])
    assert.deepEqual([queue.pop(), queue.pop()], ['b/z 3', 'b/z 2'])
    const even = filled(['a/x', 'b/y'])
    even.push(['c', 'z'], 'newcomer')
    assert.equal(even.pop(), 'newcomer')
  })

  it('loses nothing, gives nothing twice, and knows its size', () => {
    const path = fc.constantFrom('a/x', 'a/y', 'b/x', 'c/z')
    const step = fc.oneof(path, fc.constantFrom('shift', 'pop', 'delete'))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const queue = new FairQueue<string>()
        const inside = new Map<string, string[]>()
        steps.forEach((each, index) => {
          takeStep(queue, inside, each, `${index}`)
          assert.equal(queue.size, inside.size)
        })
        assert.deepEqual(drain(queue).toSorted(), [...inside.keys()].toSorted())
      }),
    )
  })
})

function filled(flows: readonly string[]): FairQueue<string> {
  const queue = new FairQueue<string>()
  flows.forEach((flow, index) => {
    queue.push(flow.split('/'), `${flow} ${index}`)
  })
  return queue
}

/** One step on the queue, and on what should be inside. */
function takeStep(queue: FairQueue<string>, inside: Map<string, string[]>, step: string, name: string): void {
  if (step === 'shift' || step === 'pop') {
    const removed = step === 'shift' ? queue.shift() : queue.pop()
    assert.equal(inside.delete(removed ?? ''), removed !== undefined)
  } else if (step === 'delete') {
    const [item, flow] = [...inside][0] ?? ['none', ['a', 'x']]
    assert.equal(queue.delete(flow, item), inside.delete(item))
    assert.equal(queue.delete(flow, item), false)
  } else {
    queue.push(step.split('/'), name)
    inside.set(name, step.split('/'))
  }
}

function drain(queue: FairQueue<string>): string[] {
  const items: string[] = []
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item)
  return items
}
