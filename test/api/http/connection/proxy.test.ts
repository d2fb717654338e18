import assert from 'node:assert/strict'
import { it } from 'node:test'
import Fastify from 'fastify'
import { keepForwardedAddresses, originFinder } from '../../../../src/api/http/connection/proxy.ts'

const settings: (boolean | string[])[] = [
  false,
  true,
  ['loopback'],
  ['127.0.0.1', '203.0.113.0/24'],
  ['10.0.0.1'],
]
const sent: Record<string, string>[] = [
  {},
  { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-host': 'acme.example.org' },
  {
    'x-forwarded-for': '198.51.100.1, 203.0.113.7',
    'x-forwarded-host': 'one.example.org, two.example.org:8080',
  },
  { 'x-forwarded-for': 'nonsense', 'x-forwarded-host': '' },
  { 'x-forwarded-for': '198.51.100.1, nonsense, 203.0.113.7:4711' },
]

for (const trustProxy of settings) {
  it(`An upgrade has the address and the host that Fastify finds with ${JSON.stringify(trustProxy)}`, async () => {
    const callerOf = originFinder(trustProxy)
    const app = Fastify({ trustProxy })
    app.addHook('onRequest', async ({ raw }) => keepForwardedAddresses(raw))
    app.get('/', (request, reply) => {
      const { ip: address, host } = request
      return reply.send([{ address, host }, callerOf(request.raw)])
    })
    for (const headers of sent) {
      const [expected, found] = (await app.inject({ url: '/', headers })).json()
      assert.deepEqual(found, expected, JSON.stringify(headers))
    }
    await app.close()
  })
}
