/** Connections: many, slow, never reading, and short-lived. */
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { requestBytes, tenantHeader } from '../../support/http/request-bytes.ts'
import type { Attack, Front } from '../front.ts'
import { hammer } from '../hammer.ts'
import { lists } from './graphql.ts'

export const connectionAttacks: Attack[] = [
  { name: 'unread-lists', start: (front) => askAndStall(front, '/api/products') },
  {
    name: 'unread-graphql',
    start: (front) => askAndStall(front, `/graphql?query=${encodeURIComponent(lists(1, 1))}`),
  },
  { name: 'dripping-readers', start: readByDrops },
  { name: 'pipelined-lists', start: pipelineLists },
  { name: 'slow-senders', start: sendSlowly },
  { name: 'idle-connections', start: stayIdle },
  {
    name: 'churn',
    start: (front) => hammer(front, { churns: true, perSecond: 500, next: () => live }),
  },
  { name: 'pipelined', start: (front) => hammer(front, { pipelined: 100, next: () => live }) },
  { name: 'large-headers', start: sendLargeHeaders },
]

const live = requestBytes({ path: '/health/live' })

/** Each asks for megabytes and takes nothing but what the kernel does by itself. */
export function askAndStall(front: Front, path: string, clients = 100): void {
  const request = requestBytes({ path, headers: tenantHeader(front.target.filled) })
  for (let index = 0; index < clients; index++) {
    const socket = front.connect(index)
    socket.pause()
    socket.once('connect', () => {
      front.count('sent')
      socket.write(request)
    })
    socket.once('close', () => front.signal.aborted || front.count('cut'))
  }
}

/** Whole lists of two tenants to several addresses: each takes enough not to be cut for taking nothing. */
function readByDrops(front: Front): void {
  const { filled, alsoFilled } = front.target
  const requests = [filled, alsoFilled].map((tenant) =>
    requestBytes({ path: '/api/products', headers: tenantHeader(tenant) }),
  )
  for (let index = 0; index < 300; index++) {
    const socket = front.connect(index % 6)
    socket.pause()
    socket.once('connect', () => {
      front.count('sent')
      socket.write(requests[index % 2] ?? live)
    })
    socket.on('data', () => socket.pause())
    front.every(2000, () => socket.resume())
    socket.once('close', () => front.signal.aborted || front.count('cut'))
  }
}

/** Bursts on connections that read nothing: of more than may wait, coming again when cut, and of nearly as many. */
function pipelineLists(front: Front): void {
  const list = requestBytes({ path: '/api/products?limit=5', headers: tenantHeader(front.target.filled) })
  const burst = (requests: number) => Buffer.concat(Array.from({ length: requests }, () => list))
  const [beyond, within] = [burst(600), burst(30)]
  const sockets: Socket[] = []
  let turn = 0
  front.every(100, () => {
    const index = turn++ % 20
    sockets[index]?.destroy()
    sockets[index] = pipelineUnread(front, index, turn % 2 === 0 ? beyond : within)
  })
  const first = pipelineUnread(front, 20, within)
  front.every(1000, () => first.writable && first.write(within))
}

function pipelineUnread(front: Front, attacker: number, burst: Buffer): Socket {
  const socket = front.connect(attacker)
  socket.pause()
  socket.once('connect', () => {
    front.count('sent')
    socket.write(burst)
  })
  return socket
}

/** Half of them a header at a time, half of them a body by single bytes. */
function sendSlowly(front: Front): void {
  const heads = [
    'GET /api/products HTTP/1.1\r\nHost: localhost\r\n',
    'POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n',
  ]
  for (let index = 0; index < 400; index++) {
    const socket = front.connect(index)
    const isHead = index % 2 === 0
    socket.once('connect', () => {
      front.count('sent')
      socket.write(heads[index % 2] ?? '')
    })
    socket.resume()
    front.every(500, () => socket.writable && socket.write(isHead ? `X-${randomUUID()}: 1\r\n` : ' '))
    socket.once('close', () => front.signal.aborted || front.count('cut'))
  }
}

/** Connections that never send anything. */
function stayIdle(front: Front): void {
  for (let index = 0; index < 2000; index++) {
    const socket = front.connect(index % 20)
    socket.once('connect', () => front.count('opened'))
    socket.resume()
    socket.once('close', () => front.signal.aborted || front.count('cut'))
  }
}

function sendLargeHeaders(front: Front): void {
  const large = (bytes: number) => ({ 'x-filling': 'x'.repeat(bytes) })
  const many = Object.fromEntries(Array.from({ length: 900 }, (_each, index) => [`x-${index}`, 'y']))
  const requests = [large(15_000), large(17_000), many].map((headers) =>
    requestBytes({ path: '/health/live', headers }),
  )
  hammer(front, { perSecond: 500, next: (turn) => requests[turn % requests.length] ?? live })
}
