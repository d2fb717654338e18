import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { it } from 'node:test'
import { inspect } from '../support/database/inspect.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { askThrough, codeOf } from '../support/http/connection.ts'
import { runsOf } from '../support/run/extent.ts'
import { atAnyCost, startService } from '../support/service.ts'

const clients = 20
const requestsPerClient = runsOf(20, 50)
/** So many are answered before the service is told to stop. */
const answeredBefore = 4 * requestsPerClient

onEitherDatabase('A stop under load', (database) => {
  it('drops none of many requests: each is answered, or was never taken', async () => {
    // Clients in this process may send their next request late: on a slow machine half a second was too short.
    const service = await startService(database, {}, { ...atAnyCost, lingerMs: 2000 })
    const headers = { ...service.host.headers, 'content-type': 'application/json' }
    const created: string[] = []
    const refusals: string[] = []
    let stopped: Promise<void> | null = null
    const agent = new Agent({ keepAlive: true, maxSockets: clients })

    const send = async (name: string): Promise<void> => {
      const body = JSON.stringify({ name, price: 1 })
      const outcome = await askThrough(agent, `${service.url}/api/products`, {
        method: 'POST',
        headers,
        body,
      }).catch(codeOf)
      if (typeof outcome === 'string') return void refusals.push(outcome)
      assert.equal(outcome.status, 201, outcome.body)
      if (created.push(name) === answeredBefore) stopped = service.service.stop()
    }
    const sendAll = async (client: number): Promise<void> => {
      for (let number = 0; number < requestsPerClient; number++) await send(`${client}-${number}`)
    }
    await Promise.all(Array.from({ length: clients }, (_, client) => sendAll(client)))
    await stopped
    agent.destroy()

    assert.equal(created.length + refusals.length, clients * requestsPerClient)
    assert.ok(created.length >= answeredBefore)
    assert.deepEqual(new Set(refusals), new Set(['ECONNREFUSED']))
    const rows = await inspect(service.config.databaseUrl, 'SELECT name FROM product')
    assert.deepEqual(rows.map(({ name }) => String(name)).toSorted(), created.toSorted())
    await service.stop()
  })
})
