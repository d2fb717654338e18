/** A receiver of webhooks in a process of its own: answers at once, and knows when each event came. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What it is asked over the channel to its parent, and what it tells. */
export type Question = 'begin' | 'report'

export interface Arrivals {
  count: number
  /** Moments of the first and the last, by `Date.now`. */
  firstMs: number
  lastMs: number
  /** From the publication of each event to its arrival. */
  latenciesMs: number[]
}

let arrivals: Arrivals = nothing()

const server = createServer((request, response) => {
  const now = Date.now()
  if (request.url === '/hang') return
  let text = ''
  request.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk
  })
  request.on('end', () => {
    response.end()
    arrivals.count++
    if (arrivals.count === 1) arrivals.firstMs = now
    arrivals.lastMs = now
    const published = /"timestamp":"([^"]+)"/.exec(text)?.[1] ?? ''
    arrivals.latenciesMs.push(now - Date.parse(published))
  })
})

process.on('message', (question: Question) => {
  if (question === 'begin') arrivals = nothing()
  process.send?.(arrivals)
})
process.once('disconnect', () => process.exit())

server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo // it listens on TCP
process.send?.(`http://127.0.0.1:${port}`)

function nothing(): Arrivals {
  return { count: 0, firstMs: 0, lastMs: 0, latenciesMs: [] }
}
