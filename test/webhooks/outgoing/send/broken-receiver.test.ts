/** A broken HTTP attempt is a failed attempt like any other: it is in the log, and the schedule continues. */
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { describe, it } from 'node:test'
import { maxKeptBytes } from '../../../../src/webhooks/outgoing/send/response.ts'
import type { Client } from '../../../support/client.ts'
import { onEitherDatabase } from '../../../support/databases.ts'
import { eventually, soonMs } from '../../../support/eventually.ts'
import {
  type DeliveryWithAttempts,
  deliveries,
  onlyDelivery,
  publish,
  setScene,
  subscribe,
} from '../../../support/webhooks/delivery-scene.ts'
import { drip, pour, startListener } from '../../../support/webhooks/receiver.ts'

const timeoutMs = 2200
const retrySeconds = [1, 1]
const roundingMs = 1

/** To one attempt after the other. */
const answers: ((socket: Socket) => void)[] = [
  (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n', 1000),
  (socket) => pour(socket, 2 ** 30, '500 Too Much'),
  (socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'),
]

describe('A delivery', { concurrency: 2 }, () => {
  onEitherDatabase('to a receiver that drips, then pours out a gigabyte', (database) => {
    it('tells so of each attempt, and is tried again when it is due', async () => {
      await using scene = await setScene(database, { WEBHOOK_TIMEOUT_MS: `${timeoutMs}` })
      let count = 0
      const receiver = await startListener((socket) => {
        const answer = answers[count++]
        socket.once('data', () => answer?.(socket))
      })
      await using _receiver = { [Symbol.asyncDispose]: () => receiver.close() }
      await subscribe(scene.user, receiver, { retrySeconds })
      await publish(scene.user)

      const { found, dueAt } = await followAttempts(scene.user)
      const attempts = found.attemptLog.map(({ outcome, errorClass, status }) => ({
        outcome,
        errorClass,
        status,
      }))
      assert.deepEqual(attempts, [
        { outcome: 'failure', errorClass: 'timeout', status: 200 },
        { outcome: 'failure', errorClass: 'status', status: 500 },
        { outcome: 'success', errorClass: null, status: 204 },
      ])
      const [cut, poured] = found.attemptLog
      assert.ok(cut !== undefined && cut.durationMs >= timeoutMs - 1)
      assert.match(cut.responseExcerpt, /^x*$/)
      assert.equal(poured?.responseExcerpt, 'x'.repeat(maxKeptBytes))
      keepsSchedule(found, dueAt)
    })
  })
})

/** By the number of attempts made. */
type DueAt = Map<number, number>

/** Looks on until it has succeeded. @returns with the moments at which it said it would be tried next */
async function followAttempts(user: Client): Promise<{ found: DeliveryWithAttempts; dueAt: DueAt }> {
  const dueAt: DueAt = new Map()
  const hasSucceeded = async (): Promise<boolean> => {
    const [only] = await deliveries(user)
    if (only !== undefined && only.attempts > 0 && only.nextAttemptAt !== null)
      dueAt.set(only.attempts, Date.parse(only.nextAttemptAt))
    return only?.status === 'SUCCEEDED'
  }
  await eventually('the last attempt', soonMs, hasSucceeded)
  return { found: await onlyDelivery(user), dueAt }
}

/** Nothing is early: neither what was said, nor what was done. */
function keepsSchedule({ attemptLog }: DeliveryWithAttempts, dueAt: DueAt): void {
  assert.ok(dueAt.size > 0)
  for (const [index, seconds] of retrySeconds.entries()) {
    const [before, next] = attemptLog.slice(index)
    assert.ok(before !== undefined && next !== undefined)
    const earliest = Date.parse(before.startedAt) + before.durationMs + seconds * 1000 - roundingMs
    const due = dueAt.get(before.number) ?? earliest // two looks may be far apart
    assert.ok(due >= earliest, `due ${earliest - due} ms early`)
    assert.ok(Date.parse(next.startedAt) >= due, `attempt ${next.number} was ${next.startedAt}`)
  }
}
