import assert from 'node:assert/strict'
import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import type { Client } from '../support/client.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { runsOf } from '../support/run/extent.ts'
import { startService, type TestService, uniqueName } from '../support/service.ts'

const tenants = 6
const capacity = 2
const openFiles = '/proc/self/fd'

onEitherDatabase('Six tenants with a database each, of which two are kept open, the others', (database) => {
  let service: TestService
  const clients: Client[] = []
  before(async () => {
    service = await startService(database, { OPEN_TENANT_DATABASES: `${capacity}` })
    for (let count = 0; count < tenants; count++) {
      const id = uniqueName('tenant')
      const connectionString = `sqlite:${id}.db`
      const admin = {
        userName: 'boss',
        email: 'b@example.com',
        password: 'Admin@123',
        firstName: 'A',
        lastName: 'B',
      }
      await service.host.post('/api/tenants', { id, name: id, connectionString, admin })
      clients.push((await service.signIn('boss', id)).client)
    }
  })
  after(() => service.stop())

  it('are used in parallel without an error', async () => {
    const rounds = runsOf(4, 8)
    const work = async (client: Client, index: number): Promise<void> => {
      for (let round = 0; round < rounds; round++) {
        const made = await client.post('/api/products', { name: `${index}-${round}`, price: 1 })
        assert.equal(made.status, 201, made.text)
        const [one, all] = await Promise.all([
          client.get(`/api/products/${made.body.id}`),
          client.get('/api/products'),
        ])
        assert.equal(one.text, made.text)
        assert.equal(all.body.length, round + 1)
      }
    }
    await Promise.all(clients.map(work))
    for (const [index, client] of clients.entries()) {
      const { body } = await client.get('/api/products')
      assert.deepEqual(
        body.map(({ name }: { name: string }) => name),
        Array.from({ length: rounds }, (_, round) => `${index}-${round}`),
      )
    }
  })

  it('are ready, open or not', async () => {
    for (const client of clients) {
      const { body } = await client.get('/api/tenants')
      const state = await client.get(`/api/tenants/${body[0].id}/database`)
      assert.deepEqual(state.body, { kind: 'sqlite', status: 'ready', message: null, isMoving: false })
    }
  })

  it('leave no more than two open', {
    skip: !existsSync(openFiles) && 'open files cannot be listed here',
  }, async () => {
    await eventually('the others are closed', soonMs, async () => openDatabases().length <= capacity)
  })

  function openDatabases(): string[] {
    const folder = join(service.dataDir, 'tenants')
    const paths = readdirSync(openFiles).map((name) => linkOf(join(openFiles, name)))
    return [...new Set(paths.filter((path) => path.startsWith(folder) && path.endsWith('.db')))]
  }
})

/** A file may be closed between listing and reading. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
