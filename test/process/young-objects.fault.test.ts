import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { describe, it } from 'node:test'
import { askThrough } from '../support/http/connection.ts'
import { createAdmin } from '../support/process/administrator.ts'
import { executable, Workplace } from '../support/process/workplace.ts'

const connections = 64
const creates = 1000
const gets = 4000

describe('The objects of a loaded service', () => {
  it('begin as young ones, whatever outlived earlier collections', async () => {
    await using place = new Workplace({ LOG_LEVEL: 'warn' })
    const command = [process.execPath, '--trace-gc', '--trace-pretenuring-statistics', executable, 'serve']
    const service = await place.serve({}, command)
    const { authorization } = await createAdmin(service)
    const agent = new Agent({ keepAlive: true, maxSockets: connections })
    const headers = { authorization, 'content-type': 'application/json' }
    const url = `${service.url}/api/products`
    let path = ''
    const atStart = service.stdout.length
    await sendAll(creates, async (number) => {
      const body = JSON.stringify({ name: `Product ${number}`, price: 1 })
      const heard = await askThrough(agent, url, { method: 'POST', headers, body })
      assert.equal(heard.status, 201, heard.body)
      path = `${url}/${JSON.parse(heard.body).id}`
    })
    await sendAll(gets, async () => {
      const { status, body } = await askThrough(agent, path, { headers })
      assert.equal(status, 200, body)
    })
    agent.destroy()
    const told = service.stdout.slice(atStart)
    assert.match(told, /Scavenge/)
    // V8 tells of each place of the code whose objects it counts in order to take them for long-lived.
    assert.doesNotMatch(told, /pretenuring: AllocationSite/)
  })
})

/** On all connections at once. */
async function sendAll(count: number, send: (number: number) => Promise<void>): Promise<void> {
  const numbers = Array.from({ length: count }, (_, number) => number).values()
  const sendRest = async (): Promise<void> => {
    for (const number of numbers) await send(number)
  }
  await Promise.all(Array.from({ length: connections }, sendRest))
}
