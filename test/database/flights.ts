/** A proxy in front of a PostgreSQL server that records what is sent together, until the next reply. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Flights extends AsyncDisposable {
  url: string
  /** Of each connection, what went to the server between two answers, as text. */
  connections: string[][]
}

export async function watchFlights(url: string): Promise<Flights> {
  const target = new URL(url)
  const connections: string[][] = []
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    const sent: string[] = []
    connections.push(sent)
    let isAnswered = true
    near.on('data', (data) => {
      if (isAnswered) sent.push('')
      isAnswered = false
      sent.push(`${sent.pop() ?? ''}${data.toString('latin1')}`)
    })
    far.on('data', () => {
      isAnswered = true
    })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
      one.pipe(other)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const own = new URL(url)
  own.host = `127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on TCP
  return {
    url: own.href,
    connections,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
