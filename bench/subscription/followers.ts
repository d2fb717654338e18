/** A thread of WebSockets that follow orders: it says how long after its making each order came to each of them. */
import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { WebSocket } from 'ws'
import { sharedNow } from '../shared-clock.ts'

export interface Following {
  url: string
  /** Of different users, because one user may open few. */
  tokens: readonly string[]
  count: number
}

/** `at` in milliseconds of the clock of all threads. */
export type Arrival = { order: string; at: number }

const document = 'subscription { onOrderCreated { id number status total } }'

if (parentPort !== null) await follow(workerData as Following) // what `startFollowers` gives

async function follow({ url, tokens, count }: Following): Promise<void> {
  let arrivals: Arrival[] = []
  for (let opened = 0; opened < count; opened++) {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
    await once(socket, 'open')
    socket.once('close', (_code, reason) => {
      throw new Error(`The service closed a WebSocket: ${reason}`)
    })
    socket.send(
      JSON.stringify({ type: 'connection_init', payload: { authorization: tokens[opened % tokens.length] } }),
    )
    await once(socket, 'message')
    socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: document } }))
    socket.on('message', (text) => {
      const at = sharedNow()
      arrivals.push({ order: JSON.parse(String(text)).payload.data.onOrderCreated.id, at })
    })
  }
  parentPort?.on('message', () => {
    parentPort?.postMessage(arrivals)
    arrivals = []
  })
  parentPort?.postMessage('ready')
}
