/** Few descriptors: more tenants with files of their own than may be open at a time. */
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { describe, it } from 'node:test'
import { newMasterKey } from '../support/master-key.ts'
import { createAdmin } from '../support/process/administrator.ts'
import { executable, Workplace } from '../support/process/workplace.ts'
import { runsOf } from '../support/run/extent.ts'

const descriptors = 256
/** More than may be open at a time, and than there would be descriptors for. */
const tenants = runsOf(24, 60)
const atOnce = runsOf(24, 32)
/** With those at once, and the 16 of the former ones that are just being closed, less than half of the descriptors. */
const idleConnections = 64
const few = ['sh', '-c', `ulimit -n ${descriptors} && exec '${process.execPath}' '${executable}' serve`]

describe('A service with few descriptors', () => {
  it('serves every tenant in its turn, and many at once, beside open connections', async () => {
    const MASTER_KEY = newMasterKey()
    await using place = new Workplace({ PORT: '0', MASTER_KEY, DATA_DIR: 'data', TRUST_PROXY: 'true' })
    const service = await place.serve({}, few)
    const { authorization } = await createAdmin(service)
    const host = service.anonymous.with({ authorization })
    const ids = Array.from({ length: tenants }, (_, index) => `tenant-${index}`)
    for (const id of ids) {
      const made = await host.post('/api/tenants', { id, name: id, connectionString: `sqlite:${id}.db` })
      assert.equal(made.status, 201, made.text)
    }
    const ask = async (id: string) => {
      const { status, text } = await service.anonymous.get('/api/products', { 'x-tenant-id': id })
      return status === 200 ? [] : [`${id}: ${status} ${text}`]
    }
    const sockets = await openConnections(service.url, idleConnections)
    for (const id of ids) assert.deepEqual(await ask(id), [])
    for (let first = 0; first < tenants; first += atOnce) {
      const failed = await Promise.all(ids.slice(first, first + atOnce).map(ask))
      assert.deepEqual(failed.flat(), [])
    }
    assert.equal((await service.anonymous.get('/health/ready')).status, 200)
    for (const socket of sockets) {
      assert.equal(socket.readyState, 'open')
      socket.destroy()
    }
    const told = service.log().find(({ descriptors: limit }) => limit === descriptors)
    assert.equal(told?.['openTenantFiles'], 12)
    assert.equal((await service.stop()).code, 0)
  })
})

function openConnections(url: string, count: number): Promise<Socket[]> {
  const { hostname, port } = new URL(url)
  const opened = Array.from({ length: count }, async () => {
    const socket = connect(Number(port), hostname)
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
    return socket
  })
  return Promise.all(opened)
}
