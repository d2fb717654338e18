import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import Fastify from 'fastify'
import { pino } from 'pino'
import {
  keepForwardedAddresses,
  originFinder,
  trustedProxies,
} from '../../../../src/api/http/connection/proxy.ts'
import type { TrustProxy } from '../../../../src/core/settings/parse.ts'
import { startService } from '../../../support/service.ts'

const settings: TrustProxy[] = [
  false,
  true,
  1,
  2,
  5,
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
    const app = Fastify({
      trustProxy: typeof trustProxy === 'number' ? trustedProxies(trustProxy) : trustProxy,
    })
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

describe('TRUST_PROXY', () => {
  const clientOf = async (setting: string, warnings: string[] = []) => {
    const log = pino({ level: 'warn' }, { write: (line) => void warnings.push(JSON.parse(line).msg) })
    const service = await startService('sqlite', { TRUST_PROXY: setting }, { log })
    const forwarded = { 'x-forwarded-for': '198.51.100.1, 203.0.113.7' }
    await service.anonymous.post('/api/auth/login', { userName: 'nobody', password: 'wrong' }, forwarded)
    const { body } = await service.host.get('/api/audit?action=session.refused&limit=1')
    await service.stop()
    return body[0].clientAddress
  }

  it('takes the address that the last of so many proxies has seen, whatever the client has written before', async () => {
    assert.equal(await clientOf('1'), '203.0.113.7')
    assert.equal(await clientOf('2'), '198.51.100.1')
    assert.equal(await clientOf('loopback'), '203.0.113.7')
    assert.match(await clientOf('0'), /127\.0\.0\.1|::1/)
  })

  it('is warned of at the start where clients choose their addresses', async () => {
    const warnings: string[] = []
    assert.equal(await clientOf('true', warnings), '198.51.100.1')
    assert.ok(warnings.some((text) => text.startsWith('TRUST_PROXY=true believes the first address')))
    warnings.length = 0
    await clientOf('1', warnings)
    assert.ok(!warnings.some((text) => text.includes('TRUST_PROXY')))
  })
})
