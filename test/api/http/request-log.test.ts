import assert from 'node:assert/strict'
import { it } from 'node:test'
import { pino } from 'pino'
import { startService } from '../../support/service.ts'

/** What a proxy sends on, and who is then the client. The tests are the proxy. */
const forwarded: [sent: string, client: string][] = [
  ['made "up" \\', '127.0.0.1'],
  ['x'.repeat(12_000), '127.0.0.1'],
  [`fe80::1%${'z'.repeat(12_000)}`, '127.0.0.1'],
  ['203.0.113.7", "status": 200', '127.0.0.1'],
  ['unknown, 203.0.113.7', '203.0.113.7'],
  ['198.51.100.1, "}, 203.0.113.7, 192.0.2.1', '203.0.113.7'],
  ['198.51.100.1,203.0.113.7', '198.51.100.1'],
  ['203.0.113.7:4711', '203.0.113.7'],
  ['[2001:db8::7]:4711', '2001:db8::7'],
]

it('The client of a request is an address, whatever a proxy says, in the log and in the audit', async () => {
  const written: string[] = []
  const log = pino({ level: 'info' }, { write: (text) => void written.push(text) })
  const service = await startService('sqlite', { HOST: '127.0.0.1' }, { log })
  for (const [sent] of forwarded) {
    const headers = { 'x-forwarded-for': sent }
    await service.anonymous.get('/health/live', headers)
    await service.anonymous.post('/api/auth/login', { userName: 'eve', password: 'Wrong@123' }, headers)
  }
  const { body } = await service.host.get(`/api/audit?action=session.refused&limit=${forwarded.length}`)
  await service.stop()
  const lines = written.join('').trimEnd().split('\n')
  const logged = lines.map((line) => JSON.parse(line)).filter(({ path }) => path === '/health/live')
  const clients = forwarded.map(([, client]) => client)
  assert.deepEqual(
    logged.map((line) => line.client),
    clients,
  )
  assert.deepEqual(
    body.map(({ clientAddress }: { clientAddress: string }) => clientAddress).toReversed(),
    clients,
  )
})
