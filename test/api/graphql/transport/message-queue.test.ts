/** The order and the rate in which WebSocket messages are handled. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { MessageQueue, MessageScheduler } from '../../../../src/api/graphql/transport/message-queue.ts'

/** One that writes down what is handled, and whether it reads. */
function queueOf(scheduler: MessageScheduler, name: string, handled: string[]) {
  let isPaused = false
  const queue = new MessageQueue(scheduler, {
    handle: (text) => handled.push(`${name}${text}`),
    pause: () => {
      isPaused = true
    },
    resume: () => {
      isPaused = false
    },
  })
  return { queue, isPaused: () => isPaused }
}

describe('Messages of WebSockets', () => {
  it('are handled in rotation, so that nobody waits for a flood', async () => {
    const scheduler = new MessageScheduler()
    const handled: string[] = []
    const flood = queueOf(scheduler, 'flood ', handled)
    const other = queueOf(scheduler, 'other ', handled)
    for (let count = 0; count < 500; count++) flood.queue.put(Buffer.from(`${count}`))
    other.queue.put(Buffer.from('0'))
    assert.ok(flood.isPaused())
    await nextTurn()
    await nextTurn()
    assert.ok(handled.indexOf('other 0') >= 0)
    assert.ok(handled.indexOf('other 0') < 3, `${handled}`)
    assert.ok(handled.length <= 2 * 8, `${handled.length} in two turns`)
    while (handled.length < 501) await nextTurn()
    assert.deepEqual(
      handled.filter((text) => text.startsWith('flood')),
      Array.from({ length: 500 }, (_each, place) => `flood ${place}`),
    )
    assert.ok(!flood.isPaused())
    assert.equal(flood.queue.bytes, 0)
  })

  it('that are large are handled one in a turn', async () => {
    const handled: string[] = []
    const { queue } = queueOf(new MessageScheduler(), '', handled)
    for (let count = 0; count < 4; count++) queue.put(Buffer.alloc(100_000, 'x'))
    await nextTurn()
    await nextTurn()
    assert.ok(handled.length <= 2)
    queue.clear()
  })

  it('of one WebSocket have a rate: a burst is handled at once, the rest is not', async () => {
    const handled: string[] = []
    const { queue, isPaused } = queueOf(new MessageScheduler(), '', handled)
    for (let count = 0; count < 30_000; count++) queue.put(Buffer.from('x'))
    for (let turn = 0; turn < 3800; turn++) await nextTurn()
    // So many turns could handle all of them; a machine on which they take 10 seconds could not tell.
    assert.ok(handled.length >= 5000 && handled.length < 25_000, `${handled.length}`)
    assert.ok(isPaused())
    queue.clear()
  })
})
