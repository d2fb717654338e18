/** WebSockets, and streams of server-sent events. */
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { bearer, requestBytes } from '../../support/http/request-bytes.ts'
import type { Attack, Front } from '../front.ts'
import { hammer } from '../hammer.ts'

export const subscriptionAttacks: Attack[] = [
  { name: 'websockets-idle', start: (front) => openWebSockets(front, 1000) },
  { name: 'websocket-flood', start: floodWebSockets },
  { name: 'websocket-halves', start: sendHalves },
  { name: 'order-followers', start: followOrders },
  { name: 'event-streams', start: openEventStreams },
  { name: 'list-followers', start: followLists },
]

const textFrame = 0x81
const masked = 0x80
const noMask = Buffer.alloc(4)

export function openWebSockets(front: Front, count: number): void {
  for (let index = 0; index < count; index++) openWebSocket(front, index)
}

/** Anonymous, and as a user: pings, operations and what is no message at all, as fast as they are taken. */
function floodWebSockets(front: Front): void {
  const init = { type: 'connection_init', payload: bearer(front.target.hostile.user) }
  for (let index = 0; index < floodingSockets; index++) {
    openWebSocket(front, index, (socket) => {
      socket.write(frame(index % 2 === 0 ? init : { type: 'connection_init' }))
      let turn = 0
      front.every(10, () => {
        if (!socket.writable || socket.writableNeedDrain) return
        const frames = Array.from({ length: 20 }, () => floodFrame(turn++))
        front.count('sent', frames.length)
        socket.write(Buffer.concat(frames))
      })
    })
  }
}

const floodingSockets = 12

function floodFrame(turn: number): Buffer {
  if (turn % 2 === 0) return frame({ type: 'ping' })
  const query = turn % 4 === 1 ? '{ products { id } }' : `{ a${turn}: __typename }`
  return frame({ id: `${turn}`, type: 'subscribe', payload: { query } })
}

/** Messages of a megabyte that never end. */
function sendHalves(front: Front): void {
  const init = { type: 'connection_init', payload: bearer(front.target.hostile.user) }
  const size = Buffer.alloc(8)
  size.writeBigUInt64BE(1_000_000n)
  const begun = Buffer.concat([
    Buffer.from([textFrame, masked | 127]),
    size,
    noMask,
    Buffer.alloc(900_000, 32),
  ])
  for (let index = 0; index < 100; index++) {
    openWebSocket(front, index, (socket) => {
      front.count('sent')
      socket.write(Buffer.concat([frame(init), begun]))
    })
  }
}

/** 100 sockets with 100 selections each, no two alike, while orders are placed. */
function followOrders(front: Front): void {
  const { user, productIds } = front.target.hostile
  const init = { type: 'connection_init', payload: bearer(user) }
  for (let index = 0; index < 100; index++) {
    const subscribed = Array.from({ length: 100 }, (_each, operation) => {
      const alias = `a${index}x${operation}`
      const query = `subscription { onOrderCreated { ${alias}: id number items { name product { name } } } }`
      return frame({ id: alias, type: 'subscribe', payload: { query } })
    })
    openWebSocket(front, index, (socket) => socket.write(Buffer.concat([frame(init), ...subscribed])))
  }
  const items = productIds.map((productId) => ({ productId, quantity: 1 }))
  const order = requestBytes({ path: '/api/orders', headers: bearer(user), body: { customerId: 'c', items } })
  hammer(front, { connections: 4, perSecond: 20, next: () => order })
}

function openEventStreams(front: Front): void {
  const { user, productIds } = front.target.hostile
  for (let index = 0; index < 500; index++) {
    const query = `subscription { onOrderCreated { a${index}: id items { name } } }`
    const headers = { ...bearer(user), accept: 'text/event-stream' }
    const socket = front.connect(index)
    socket.once('connect', () => {
      front.count('sent')
      socket.write(requestBytes({ path: '/graphql', headers, body: { query } }))
    })
    countFirst(front, socket)
  }
  const items = productIds.map((productId) => ({ productId, quantity: 1 }))
  const order = requestBytes({ path: '/api/orders', headers: bearer(user), body: { customerId: 'c', items } })
  hammer(front, { connections: 4, perSecond: 20, next: () => order })
}

/** 200 streams of 20 lists each, whose filters name no value, while products are created. */
function followLists(front: Front): void {
  const { user } = front.target.hostile
  for (let index = 0; index < 200; index++) {
    const lists = Object.fromEntries(
      Array.from({ length: 20 }, (_each, place) => {
        const filter = { 'name[icontains]': `o${index}`, 'price[gte]': place }
        return [`list${place}`, { entity: 'product', filter }]
      }),
    )
    const socket = front.connect(index)
    socket.once('connect', () => {
      front.count('sent')
      socket.write(requestBytes({ path: '/api/live', headers: bearer(user), body: { lists } }))
    })
    countFirst(front, socket)
  }
  const body = { name: 'o1 followed', description: 'x'.repeat(2000), price: 15 }
  const product = requestBytes({ path: '/api/products', headers: bearer(user), body })
  hammer(front, { connections: 4, perSecond: 20, next: () => product })
}

/** @param opened is called when the service has taken it */
function openWebSocket(front: Front, attacker: number, opened?: (socket: Socket) => unknown): void {
  const socket = front.connect(attacker)
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-protocol': 'graphql-transport-ws',
    'sec-websocket-key': randomBytes(16).toString('base64'),
  }
  socket.once('connect', () => {
    front.count('opened')
    socket.write(requestBytes({ path: '/graphql', headers }))
  })
  countFirst(front, socket, opened)
}

/** Counts the status of the first reply; what comes behind it is dropped. */
function countFirst(front: Front, socket: Socket, upgraded?: (socket: Socket) => unknown): void {
  socket.once('data', (bytes: Buffer) => {
    const status = bytes.toString('latin1', 9, 12)
    front.count(status)
    if (status === '101') upgraded?.(socket)
  })
  socket.resume()
  socket.once('close', () => front.signal.aborted || front.count('cut'))
}

/** The mask of nothing but zeros leaves the text as it is. */
function frame(message: object): Buffer {
  const text = Buffer.from(JSON.stringify(message))
  const head =
    text.length < 126
      ? Buffer.from([textFrame, masked | text.length])
      : Buffer.from([textFrame, masked | 126, text.length >> 8, text.length & 255])
  return Buffer.concat([head, noMask, text])
}
