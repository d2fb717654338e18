/** Unexpected failures: the caller gets a request id, and the log the cause. */
import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { after, before, it } from 'node:test'
import { pino } from 'pino'
import { Type } from 'typebox'
import type { Feature } from '../../../../src/core/feature/feature.ts'
import { JsonText, route } from '../../../../src/core/feature/route.ts'
import { onEitherDatabase } from '../../../support/databases.ts'
import { assertError } from '../../../support/error.ts'
import { startService, type TestService } from '../../../support/service.ts'

const secret = 'the secret of /etc/tenantry at SELECT * FROM account'

async function* breakOff(): AsyncIterable<string> {
  yield '[{"id":1}'
  await new Promise((resolve) => setTimeout(resolve, 20))
  throw new Error(secret)
}

const common = { method: 'GET', summary: 'Fails', tag: 'Tests', access: 'public', status: 200 } as const

const failing: Feature = {
  name: 'failing',
  routes: [
    route({ ...common, path: '/failing/error', handle: () => Promise.reject(new Error(secret)) }),
    route({
      ...common,
      path: '/failing/at-once',
      handle: () => {
        throw new TypeError(secret, { cause: new Error(secret) })
      },
    }),
    route({ ...common, path: '/failing/text', handle: () => Promise.reject(secret) }),
    route({ ...common, path: '/failing/nothing', handle: () => Promise.reject(undefined) }),
    route({
      ...common,
      path: '/failing/status',
      handle: () =>
        Promise.reject(Object.assign(new Error(secret), { statusCode: 418, headers: { a: secret } })),
    }),
    route({
      ...common,
      path: '/failing/reply',
      reply: Type.Object({ count: Type.Integer() }),
      handle: async () => ({ count: { toString: () => assert.fail(secret) } }),
    }),
    route({
      ...common,
      path: '/failing/sql',
      handle: (context) => context.data.executor.run('SELECT secret FROM nowhere', [], false),
    }),
    route({ ...common, path: '/failing/stream', handle: async () => new JsonText(breakOff()) }),
  ],
}

onEitherDatabase('A failure', (database) => {
  let service: TestService
  let log = ''
  before(async () => {
    const destination = new Writable({
      write: (chunk, _encoding, done) => {
        log += chunk
        done()
      },
    })
    service = await startService(database, {}, { features: [failing], log: pino(destination) })
  })
  after(() => service.stop())

  for (const name of ['error', 'at-once', 'text', 'nothing', 'status', 'reply', 'sql']) {
    it(`by "${name}" is a 500 that tells nothing but the request id`, async () => {
      const answer = await service.anonymous.get(`/failing/${name}`)
      const id = answer.headers.get('x-request-id')
      assertError(answer, 500, `Something went wrong on our side. The request id is ${id}.`)
      const shown = JSON.stringify([answer.text, ...answer.headers])
      assert.doesNotMatch(shown, /secret|select|account|nowhere|TypeError|\.ts|stack/i)
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    })

    it(`by "${name}" is in the log under the same id`, async () => {
      const id = `failure-${name}-${database}`
      await service.anonymous.get(`/failing/${name}`, { 'x-request-id': id })
      const lines = log.split('\n').filter((line) => line.includes(id))
      const levels = lines.map((line) => JSON.parse(line).level)
      assert.ok(levels.includes(50), lines.join('\n'))
      if (name !== 'nothing' && name !== 'sql') assert.match(lines.join(''), /the secret of/)
    })
  }

  it('is told in problem details to whoever asks for them, and tells no more there', async () => {
    const answer = await service.anonymous.get('/failing/error', { accept: 'application/problem+json' })
    assert.equal(answer.status, 500)
    const id = answer.headers.get('x-request-id')
    assert.deepEqual(answer.body, {
      type: 'about:blank',
      title: 'Something went wrong on our side.',
      status: 500,
      code: 'internal',
      parameters: { requestId: id },
      detail: `Something went wrong on our side. The request id is ${id}.`,
      instance: '/failing/error',
    })
  })

  it('in the middle of a list breaks the connection off, so that nobody takes the half for the whole', async () => {
    await assert.rejects(service.anonymous.get('/failing/stream'))
    assert.match(log, /the secret of/)
  })

  it('leaves the service as it was', async () => {
    assert.equal((await service.anonymous.get('/api/products')).status, 200)
    assert.equal((await service.anonymous.get('/health/ready')).status, 200)
  })
})
