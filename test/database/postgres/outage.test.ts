import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { DatabaseUnavailable } from '../../../src/database/executor.ts'
import { defaultTimeouts, openPostgres } from '../../../src/database/postgres/postgres-database.ts'
import { rotateKeys } from '../../../src/identity/key/signing-keys.ts'
import { inspect } from '../../support/database/inspect.ts'
import { Wire } from '../../support/database/wire.ts'
import { createPostgresDatabase } from '../../support/databases.ts'
import { assertUnavailable } from '../../support/error.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { RawSocket } from '../../support/graphql/raw-socket.ts'
import { person, startService, type TestService } from '../../support/service.ts'

describe('While PostgreSQL is gone', () => {
  let postgres: Awaited<ReturnType<typeof createPostgresDatabase>>
  let wire: Wire
  let service: TestService
  before(async () => {
    postgres = await createPostgresDatabase()
    wire = await Wire.to(postgres.url)
    service = await startService('sqlite', { DATABASE_URL: wire.url })
    await service.host.get('/api/products')
  })
  afterEach(() => wire.mend())
  after(async () => {
    await service.stop()
    await wire.cut()
    await postgres.drop()
  })

  it('requests get 503 with Retry-After, and the first one after its return works', async () => {
    await wire.cut()
    const calls: [string, string, unknown?][] = [
      ['GET', '/api/products'],
      ['POST', '/api/products', { name: 'Desk', price: 1 }],
      ['GET', '/api/users'],
      ['POST', '/api/users', person('later')],
      ['POST', '/api/tenants', { id: 'later', name: 'Later' }],
      ['POST', '/api/auth/login', { userName: 'admin', password: 'Admin@123' }],
      ['POST', '/api/auth/refresh', { refreshToken: 'x' }],
      ['GET', '/api/init/status'],
    ]
    for (const [method, path, body] of calls)
      assertUnavailable(await service.host.send(method, path, body), path)
    await wire.mend()
    assert.equal((await service.host.get('/api/products')).status, 200)
    assert.equal((await service.host.post('/api/products', { name: 'Desk', price: 1 })).status, 201)
    assert.ok((await service.signIn('admin')).accessToken)
  })

  it('WebSockets are closed with 1013, after which clients try again', async () => {
    await wire.cut()
    await using socket = await RawSocket.open(service.url)
    socket.send({ type: 'connection_init', payload: { tenant: 'not-seen-yet' } })
    assert.deepEqual(await socket.closed, [1013, 'The service cannot answer right now. Try again shortly.'])
  })

  it('the process lives, and says that it is not ready', async () => {
    await wire.cut()
    assert.equal((await service.anonymous.get('/health/live')).status, 200)
    const ready = await service.anonymous.get('/health/ready')
    assert.equal(ready.status, 503)
    assert.equal(ready.body.status, 'unhealthy')
    await wire.mend()
    assert.equal((await service.anonymous.get('/health/ready')).status, 200)
  })

  it('a request without a token, or with a forged one, is still told so', async () => {
    await wire.cut()
    assert.equal((await service.anonymous.get('/api/users')).status, 401)
    assert.equal((await service.anonymous.withToken('garbage').get('/api/users')).status, 401)
  })

  it('what happened behind its back is learned on its return', async () => {
    const signedIn = await service.signIn('admin')
    await signedIn.client.get('/api/auth/me')
    await wire.cut()
    const moment = "'2999-01-01T00:00:00.000Z'"
    await inspect(
      postgres.url,
      `UPDATE session SET revoked_at = ${moment} WHERE id = '${sessionOf(signedIn.accessToken)}'`,
    )
    await wire.mend()
    const isOver = async () => (await signedIn.client.get('/api/auth/me')).status === 401
    await eventually('the revocation', soonMs, isOver)
    const { keyId: newKey } = await rotateKeys(await service.service.operator(), service.service.keys)
    const { body } = await service.anonymous.get('/.well-known/jwks.json')
    assert.ok(body.keys.some(({ kid }: { kid: string }) => kid === newKey))
  })

  it('connections that the server ends are replaced', async () => {
    const others =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tenantry'"
    await inspect(postgres.url, `${others} AND datname = current_database()`)
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.host.get('/api/users')))
    for (const answer of answers) if (answer.status !== 200) assertUnavailable(answer, 'right after')
    assert.equal((await service.host.get('/api/users')).status, 200)
  })
})

describe('A PostgreSQL that falls silent', () => {
  let postgres: Awaited<ReturnType<typeof createPostgresDatabase>>
  let wire: Wire
  before(async () => {
    postgres = await createPostgresDatabase()
    wire = await Wire.to(postgres.url)
  })
  after(async () => {
    await wire.cut()
    await postgres.drop()
  })

  it('is given up in time, and used again when it speaks', async () => {
    const options = { maxConnections: 2, connectTimeoutMs: 500, statementTimeoutMs: 500 }
    const database = openPostgres(wire.url, options)
    const heard: string[] = []
    database.onChange((change) => heard.push(change))
    await eventually('listening', soonMs, async () => heard.includes('resync'))
    const ask = () => database.executor.run('SELECT 1 AS one', [], false)
    await ask()
    wire.hold()
    const began = performance.now()
    const silent = [ask(), ask(), ask(), database.transaction((inside) => inside.run('SELECT 1', [], false))]
    for (const outcome of await Promise.allSettled(silent)) {
      assert.equal(outcome.status, 'rejected')
      assert.ok(outcome.reason instanceof DatabaseUnavailable, String(outcome.reason))
    }
    assert.ok(performance.now() - began < defaultTimeouts.statementTimeoutMs)
    await wire.mend()
    const answers = async () =>
      ask().then(
        () => true,
        () => false,
      )
    await eventually('an answer', soonMs, answers)
    await inspect(postgres.url, "SELECT pg_notify('tenantry', 'spoken')")
    await eventually('a notice', soonMs, async () => {
      await inspect(postgres.url, "SELECT pg_notify('tenantry', 'spoken')")
      return heard.includes('spoken')
    })
    await database.close()
  })
})

function sessionOf(token: string): string {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid
}
