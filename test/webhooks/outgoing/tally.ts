/** Which events were acknowledged under load, and how often each of them has arrived. */
import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '../../support/client.ts'
import { eventually } from '../../support/eventually.ts'
import { grown, startLoad } from '../../support/load.ts'
import { type Receiver, startReceiver } from '../../support/webhooks/receiver.ts'

const publishers = 8

export interface Tally extends AsyncDisposable {
  receiver: Receiver
  load(client: Client): EventLoad
  /** Requests that arrive from now on are not answered. @returns how many there are, and what answers them */
  hold(): { waiting(): number; release(): void }
  allArrived(withinMs: number): Promise<void>
  report(): { acknowledged: number; duplicates: number }
}

export interface EventLoad {
  /** Waits until so many more are acknowledged. */
  acknowledged(more: number): Promise<void>
  /** How many were answered with 503. */
  refused(): number
  stop(): Promise<void>
}

export async function startTally(): Promise<Tally> {
  const acknowledged = new Set<string>()
  const arrived = new Map<string, number>()
  let held: Promise<void> | null = null
  let waiting = 0
  const receiver = await startReceiver((response, { headers }) => {
    const id = String(headers['x-webhook-id'])
    arrived.set(id, (arrived.get(id) ?? 0) + 1)
    const answer = () => response.end()
    if (held === null) return void setTimeout(answer, randomInt(0, 20))
    waiting++
    void held.then(answer)
  })
  return {
    receiver,
    load: (client) => publishOn(client, acknowledged),
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      waiting = 0
      const release = () => {
        held = null
        resolve()
      }
      return { release, waiting: () => waiting }
    },
    allArrived: async (withinMs) => {
      const missing = () => [...acknowledged].filter((id) => !arrived.has(id))
      const all = async () => missing().length === 0
      await eventually('the arrival of all that was acknowledged', withinMs, all).catch((error: unknown) => {
        throw new Error(`${missing().length} of ${acknowledged.size} are lost: ${missing().slice(0, 3)}`, {
          cause: error,
        })
      })
    },
    report: () => ({
      acknowledged: acknowledged.size,
      duplicates: [...arrived.values()].reduce((sum, times) => sum + times - 1, 0),
    }),
    [Symbol.asyncDispose]: () => receiver.close(),
  }
}

/** Publishes without a pause; what is refused or not answered was not acknowledged. */
function publishOn(client: Client, acknowledged: Set<string>): EventLoad {
  let refused = 0
  const load = startLoad(Array<Client>(publishers).fill(client), async (publisher) => {
    const answer = await publisher.post('/api/events', { type: 'load.made', data: {} }).catch(() => null)
    if (answer?.status === 202) acknowledged.add(answer.body.id)
    else await delay(20)
    if (answer?.status === 503) refused++
  })
  return {
    acknowledged: (more) => grown(acknowledged, more),
    refused: () => refused,
    stop: () => load.stop(),
  }
}
