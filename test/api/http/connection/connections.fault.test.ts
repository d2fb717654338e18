/** Thousands of connections to a process with few descriptors, and to one with many. */
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { describe, it } from 'node:test'
import { WebSocket } from 'ws'
import { executable, type RunningService, Workplace } from '../../../support/process/workplace.ts'

const limited = (descriptors: number) => [
  'sh',
  '-c',
  `ulimit -n ${descriptors}; exec "$0" "$@"`,
  process.execPath,
  executable,
  'serve',
]

/** By nobody in particular, from one address. @returns those that stay open, and the statuses of those refused */
async function openMany({ url }: RunningService, count: number, localAddress: string) {
  const address = `ws://127.0.0.1:${new URL(url).port}/graphql`
  const open: WebSocket[] = []
  const statuses = new Set<number | string>()
  const begin = () =>
    new Promise<void>((resolve) => {
      const socket = new WebSocket(address, 'graphql-transport-ws', { localAddress })
      socket.on('open', () => {
        open.push(socket)
        resolve()
      })
      socket.on('unexpected-response', (_request, response) => {
        statuses.add(response.statusCode ?? 0)
        response.resume()
        resolve()
      })
      socket.on('error', () => resolve())
    })
  for (let begun = 0; begun < count; begun += 50) await Promise.all(Array.from({ length: 50 }, begin))
  return { open, statuses }
}

describe('Thousands of connections', () => {
  it('do not take the descriptors of a process that has few', async () => {
    await using place = new Workplace({ HOST: '127.0.0.1' })
    const service = await place.serve({}, limited(600))
    const crowd = await openMany(service, 2000, '127.0.0.2')
    assert.deepEqual([...crowd.statuses], [429])
    assert.equal((await service.anonymous.get('/health/ready')).status, 200)
    assert.equal((await service.anonymous.get('/api/products')).status, 200)
    // So do those of many addresses that say nothing at all.
    const silent: Socket[] = []
    for (let last = 3; last < 100; last++) {
      for (let count = 0; count < 20; count++) {
        const socket = connect({
          port: Number(new URL(service.url).port),
          host: '127.0.0.1',
          localAddress: `127.0.0.${last}`,
        })
        socket.on('error', () => undefined) // it is refused
        silent.push(socket)
      }
    }
    assert.equal((await service.anonymous.get('/api/products')).status, 200) // on a connection of before
    for (const socket of silent) socket.destroy()
    for (const socket of crowd.open) socket.terminate()
    assert.equal((await service.stop()).code, 0)
    assert.match(service.stdout, /limit exceeded/)
  })

  it('of one address leave those of another alone', async () => {
    await using place = new Workplace({ HOST: '127.0.0.1' })
    const service = await place.serve({ MAX_CONNECTIONS: '400' })
    const crowd = await openMany(service, 1000, '127.0.0.2')
    assert.deepEqual([...crowd.statuses], [429])
    const { open } = await openMany(service, 50, '127.0.0.3')
    assert.equal(open.length, 50)
    assert.equal((await service.anonymous.get('/health/ready')).status, 200)
    for (const socket of [...open, ...crowd.open]) socket.terminate()
    assert.equal((await service.stop()).code, 0)
  })
})
