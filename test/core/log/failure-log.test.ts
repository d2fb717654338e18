/** Failed requests in the log: each once, and of a flood of similar failures a few and a count. */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pino } from 'pino'
import { type Feature, route } from '../../../src/index.ts'
import type { Client } from '../../support/client.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { startService } from '../../support/service.ts'

const requests = 40

const faulty: Feature = {
  name: 'faulty',
  routes: [
    route({
      method: 'GET',
      path: '/api/fault',
      summary: 'Fails',
      tag: 'Tests',
      access: 'public',
      status: 200,
      handle: () => Promise.reject(new Error('nobody expected this')),
    }),
  ],
}

interface Line {
  level: number
  msg: string
  [member: string]: unknown
}

describe('A request that fails on our side', () => {
  it('is one line each where nobody expected it, with its cause', async () => {
    const { lines, log } = keepLines()
    const service = await startService('sqlite', {}, { log, features: [faulty] })
    const answers = await Promise.all(Array.from({ length: requests }, () => service.host.get('/api/fault')))
    for (const { status } of answers) assert.equal(status, 500)
    const failures = failuresIn(lines)
    assert.equal(failures.length, requests)
    const ids = answers.map(({ headers }) => headers.get('x-request-id'))
    assert.deepEqual(failures.map(({ requestId }) => requestId).toSorted(), ids.toSorted())
    for (const { err, path, status } of failures) {
      assert.equal(Object(err).message, 'nobody expected this')
      assert.deepEqual([path, status], ['/api/fault', 500])
    }
    await service.stop()
  })

  it('is told a few times a second and counted while a database is away, for each database', async () => {
    const { lines, log } = keepLines()
    const service = await startService('sqlite', {}, { log })
    const users: Client[] = []
    for (const name of ['one.db', 'two.db']) {
      mkdirSync(join(service.dataDir, 'tenants', name), { recursive: true }) // no file can be there
      users.push((await service.newTenant({ connectionString: `sqlite:${name}` })).user)
    }
    lines.length = 0
    const asked = users.flatMap((user) => Array.from({ length: requests }, () => user.get('/api/products')))
    for (const { status } of await Promise.all(asked)) assert.equal(status, 503)
    const told = () => failuresIn(lines).filter(({ suppressed }) => suppressed === undefined)
    const counted = () =>
      failuresIn(lines)
        .flatMap(({ suppressed }) => suppressed ?? [])
        .map(Number)
    const sum = () => told().length + counted().reduce((all, each) => all + each, 0)
    await eventually('all are counted', soonMs, async () => sum() === 2 * requests)
    assert.ok(told().length < requests, `${told().length} lines`)
    assert.ok(new Set(told().map(({ tenantId }) => tenantId)).size === 2)
    await service.stop()
  })
})

function failuresIn(lines: Line[]): Line[] {
  return lines.filter(({ level }) => level >= 50)
}

function keepLines() {
  const lines: Line[] = []
  const write = (text: string): void => {
    for (const line of text.split('\n').filter(Boolean)) lines.push(JSON.parse(line))
  }
  return { lines, log: pino({ level: 'info' }, { write }) }
}
