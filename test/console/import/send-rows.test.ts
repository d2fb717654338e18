/** Rows of a file are sent some at a time; those that the service had no time for are sent again, and no others. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type SentRows, sendRows } from '../../../assets/console/entity/import/send-rows.ts'

interface Fault {
  status: number
}
type Reply = (rows: readonly number[], request: number) => readonly (Fault | undefined)[]

interface Sent extends SentRows<number, Fault> {
  requests: (readonly number[])[]
  keys: string[]
  progress: number[]
  pauses: number[]
}

const busy = { status: 503 }
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
const all = (rows: readonly number[], fault?: Fault) => rows.map(() => fault)

async function sent(count: number, reply: Reply, isStopped?: (requests: number) => boolean): Promise<Sent> {
  const [requests, keys, progress, pauses]: [(readonly number[])[], string[], number[], number[]] = [
    [],
    [],
    [],
    [],
  ]
  const result = await sendRows<number, Fault>(numbers(count), {
    atOnce: 4,
    send: async (rows, key) => {
      requests.push(rows)
      keys.push(key)
      return reply(rows, requests.length)
    },
    onProgress: (done) => progress.push(done),
    isStopped: () => isStopped?.(requests.length) ?? false,
    pause: async (tries) => pauses.push(tries),
  })
  return { ...result, requests, keys, progress, pauses }
}

describe('The rows of a file', () => {
  it('are sent in their order, and what is wrong with one is reported for it', async () => {
    const fault = { status: 400 }
    const result = await sent(10, (rows) => rows.map((row) => (row === 6 ? fault : undefined)))
    assert.deepEqual(result.requests, [
      [1, 2, 3, 4],
      [5, 6, 7, 8],
      [9, 10],
    ])
    assert.deepEqual([result.refused, result.left], [[{ row: 6, fault }], []])
    assert.deepEqual([result.progress, result.pauses], [[4, 8, 10], []])
    assert.equal(new Set(result.keys).size, 3)
  })

  it('are sent again alone, if the service had time for others of their request', async () => {
    const result = await sent(6, (rows, request) =>
      rows.map((row) => (request === 1 && row > 2 ? busy : undefined)),
    )
    assert.deepEqual(result.requests, [
      [1, 2, 3, 4],
      [3, 4, 5, 6],
    ])
    assert.deepEqual([result.refused, result.progress, result.pauses], [[], [2, 6], []])
  })

  it('wait while the service has time for none, and are refused when it never has', async () => {
    const once = await sent(4, (rows, request) => all(rows, request === 1 ? busy : undefined))
    assert.deepEqual([once.refused, once.pauses], [[], [1]])
    const never = await sent(4, (rows) => all(rows, busy))
    assert.deepEqual(
      never.refused.map(({ row }) => row),
      [1, 2, 3, 4],
    )
    assert.deepEqual(never.pauses, [1, 2, 3, 4, 5])
    assert.equal(never.requests.length, 6)
  })

  it('are sent with the same key if there was no reply, because they may be done', async () => {
    const lost = { status: 0 }
    const { requests, keys, refused } = await sent(6, (rows, request) =>
      all(rows, request <= 2 ? lost : undefined),
    )
    assert.deepEqual(requests, [
      [1, 2, 3, 4],
      [1, 2, 3, 4],
      [1, 2, 3, 4],
      [5, 6],
    ])
    assert.deepEqual(keys.slice(0, 3), [keys[0], keys[0], keys[0]])
    assert.notEqual(keys[3], keys[0])
    assert.deepEqual(refused, [])
  })

  it('are sent in smaller requests if one is too large', async () => {
    const tooLarge = { status: 413 }
    const { requests, refused } = await sent(4, (rows) =>
      rows.length > 1 || rows[0] === 2 ? all(rows, tooLarge) : all(rows),
    )
    assert.deepEqual(requests, [[1, 2, 3, 4], [1, 2], [1], [2], [3], [4]])
    assert.deepEqual(refused, [{ row: 2, fault: tooLarge }])
  })

  it('are left where somebody stops it', async () => {
    const { requests, left, refused } = await sent(
      10,
      (rows) => all(rows),
      (count) => count === 1,
    )
    assert.deepEqual([requests.length, left, refused], [1, [5, 6, 7, 8, 9, 10], []])
  })
})
