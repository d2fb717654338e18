import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { it } from 'node:test'
import { openStore } from '../support/database/store.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { askThrough, codeOf } from '../support/http/connection.ts'
import { createAdmin } from '../support/process/administrator.ts'
import { Workplace } from '../support/process/workplace.ts'

const clients = 20
const requestsPerClient = 50
/** So many are answered before the service is told to stop. */
const answeredBefore = 200

onEitherDatabase('A stop under load', (database) => {
  it('drops none of a thousand requests: each is answered, or was never taken', async () => {
    await using store = await openStore(database)
    await using place = new Workplace(store.settings)
    const service = await place.serve()
    const { authorization } = await createAdmin(service)
    const headers = { authorization, 'content-type': 'application/json' }
    const created: string[] = []
    const refusals: string[] = []
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
      if (created.push(name) === answeredBefore) service.process.kill('SIGTERM')
    }
    const sendAll = async (client: number): Promise<void> => {
      for (let number = 0; number < requestsPerClient; number++) await send(`${client}-${number}`)
    }
    await Promise.all(Array.from({ length: clients }, (_, client) => sendAll(client)))
    assert.equal((await service.ended).code, 0)
    agent.destroy()

    assert.equal(created.length + refusals.length, clients * requestsPerClient)
    assert.ok(created.length >= answeredBefore)
    assert.deepEqual(new Set(refusals), new Set(['ECONNREFUSED']))
    assert.deepEqual((await store.productNames()).toSorted(), created.toSorted())
  })
})
