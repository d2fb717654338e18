/** The unread results of a slow reader: merged, then replaced, then cut; and all of them together. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BufferBudget } from '../../../src/core/limits/buffer-budget.ts'
import { LimitMonitor } from '../../../src/core/limits/limit-monitor.ts'
import { type Item, Stream, TooSlow } from '../../../src/core/live/stream.ts'

const large = 300_000
const budgetOf = (maxBytes: number) => new BufferBudget(maxBytes, new LimitMonitor({ warn: () => undefined }))
const item = (name: string, size = large): Item => ({
  text: name.padEnd(size, '.'),
  cursor: name,
  holders: 0,
})
const nameOf = ({ value }: IteratorResult<Item, undefined>) => value?.cursor
/** Of results with the same cursor the last one is enough. */
const relief = {
  merge: (items: readonly Item[]) =>
    items.filter(({ cursor }, place) => items.findLastIndex((each) => each.cursor === cursor) === place),
  replace: () => item('replaced', 10),
}

describe('A stream with unread results', () => {
  it('merges them beyond a million characters, as often as that halves them', async () => {
    const buffers = budgetOf(100_000_000)
    const stream = new Stream(buffers, relief)
    for (let count = 0; count < 100; count++) stream.push([item('same')])
    stream.push([item('last')])
    assert.ok(stream.bufferedBytes < 2_000_000, `${stream.bufferedBytes}`)
    assert.equal(buffers.bytes, stream.bufferedBytes)
    const names: unknown[] = []
    while (names.at(-1) !== 'last') names.push(nameOf(await stream.next()))
    assert.ok(names.slice(0, -1).every((name) => name === 'same'))
    assert.equal(buffers.bytes, 0)
  })

  it('replaces them when they cannot be merged, cuts the reader that has not read that, and begins anew after it', async () => {
    const stream = new Stream(budgetOf(100_000_000), relief)
    let made = 0
    const fill = (times: number) => {
      for (let count = 0; count < times; count++) stream.push([item(`${made++}`)])
    }
    fill(5)
    assert.equal(nameOf(await stream.next()), 'replaced')
    assert.equal(stream.isEnded, false)
    fill(5) // it had everything
    assert.equal(stream.isEnded, false)
    fill(5)
    assert.equal(stream.isEnded, true)
    await assert.rejects(stream.next(), TooSlow)
  })

  it('gives way when all streams together have too many, the largest first', () => {
    const buffers = budgetOf(2_000_000)
    const streams = Array.from({ length: 5 }, () => new Stream(buffers, relief))
    for (const [place, stream] of streams.entries())
      for (let count = 0; count <= place % 3; count++) stream.push([item(`${place} ${count}`)])
    assert.ok(buffers.bytes <= 2_000_000)
    assert.deepEqual(
      streams.map(({ bufferedBytes }) => bufferedBytes > 1000),
      [true, true, false, true, true],
    )
    assert.ok(streams.every(({ isEnded }) => !isEnded))
  })

  it('is cut at once without a way to merge', async () => {
    const stream = new Stream(budgetOf(100_000_000))
    for (let count = 0; count < 5; count++) stream.push([item('same')])
    await assert.rejects(stream.next(), TooSlow)
  })
})
