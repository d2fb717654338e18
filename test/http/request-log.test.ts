import assert from 'node:assert/strict'
import { it } from 'node:test'
import { pino } from 'pino'
import { startService } from '../harness/service.ts'

it('The line of a request is JSON, whatever a proxy says of the client', async () => {
  const written: string[] = []
  const log = pino({ level: 'info' }, { write: (text) => void written.push(text) })
  const service = await startService('sqlite', {}, { log })
  const client = 'made "up" \\'
  await service.anonymous.get('/health/live', { 'x-forwarded-for': client })
  await service.stop()
  const lines = written.join('').trimEnd().split('\n')
  const logged = lines.map((line) => JSON.parse(line)).find(({ path }) => path === '/health/live')
  assert.deepEqual([logged.client, logged.level, logged.msg], [client, 30, 'request'])
})
