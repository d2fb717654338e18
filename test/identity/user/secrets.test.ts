import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { pino } from 'pino'
import { dump } from '../../support/database/inspect.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { person, startService, type TestService } from '../../support/service.ts'

/** Each is used once, somewhere, and should be found nowhere. */
const secrets = {
  created: 'Created-Secret@1',
  changed: 'Changed-Secret@2',
  own: 'Own-Secret@3',
  guessed: 'Guessed-Secret@4',
  refused: 'refused-secret@5',
  admin: 'Admin-Secret@6',
  broken: 'Broken-Secret@7',
  connection: 'connection-secret-8',
  refusedConnection: 'connection-secret-9',
}

onEitherDatabase('A password', (database) => {
  const lines: string[] = []
  const replies: string[] = []
  const tokens: string[] = []
  let service: TestService

  before(async () => {
    const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
    service = await startService(database, {}, { log })
    await useSecrets()
  })
  after(() => service.stop())

  const texts = Object.values(secrets)

  it('is in no reply', () => {
    assert.ok(replies.length > 12)
    for (const reply of replies) for (const secret of texts) assert.ok(!reply.includes(secret), reply)
    assert.ok(!replies.join().includes('$argon2'))
  })

  it('is in no line of the log, and neither is a token', () => {
    const whole = lines.join('')
    assert.ok(lines.length > 12)
    for (const secret of [...texts, ...tokens]) assert.ok(!whole.includes(secret), secret)
    assert.ok(!whole.includes('$argon2'))
  })

  it('is in no table: not as it is, and not as a digest that is quick to guess', async () => {
    const whole = await dump(service.config.databaseUrl)
    for (const secret of [...texts, ...tokens]) assert.ok(!whole.includes(secret), secret)
    for (const { method, path, body } of keyed) {
      const request = `${method} ${path}\n${JSON.stringify(body)}`
      for (const encoding of ['hex', 'base64', 'base64url'] as const) {
        assert.ok(!whole.includes(createHash('sha256').update(request).digest(encoding)), path)
      }
    }
  })

  it('is in no record of the audit, and neither is its hash', async () => {
    const { body, text } = await service.host.get('/api/audit?limit=200')
    assert.ok(body.length > 5)
    for (const secret of texts) assert.ok(!text.includes(secret), secret)
    assert.ok(!text.includes('$argon2'))
  })

  if (database === 'sqlite') {
    it('is nowhere in the files of the database', () => {
      for (const file of ['tenantry.db', 'tenantry.db-wal']) {
        const bytes = readFileSync(join(service.dataDir, file))
        for (const secret of [...texts, ...tokens]) assert.ok(!bytes.includes(secret), secret)
      }
    })
  }

  interface Keyed {
    method: string
    path: string
    body: unknown
  }
  const keyed: Keyed[] = []

  async function useSecrets(): Promise<void> {
    const { host, anonymous } = service
    const send = async (method: string, path: string, body: unknown, client = host) => {
      if (method === 'POST' && client === host) keyed.push({ method, path, body })
      const answer = await client.send(method, path, body, { 'idempotency-key': `key-${replies.length}` })
      replies.push(answer.text.replaceAll(/"(access|refresh)Token":"[^"]+"/g, ''))
      return answer
    }
    const user = await send('POST', '/api/users', person('ada', { password: secrets.created }))
    await send('POST', '/api/users', person('ada', { password: secrets.created }))
    await send('POST', '/api/users', person('bob', { password: secrets.refused }))
    await send('POST', '/api/users', person('bob', { password: [secrets.broken] }))
    await send('POST', '/api/users', `{"password":"${secrets.broken}"`)
    await send('PUT', `/api/users/${user.body.id}`, { password: secrets.changed })
    const login = { userName: 'ada', password: secrets.changed }
    const signedIn = await send('POST', '/api/auth/login', login, anonymous)
    tokens.push(signedIn.body.accessToken, signedIn.body.refreshToken)
    const own = anonymous.withToken(signedIn.body.accessToken)
    const change = { currentPassword: secrets.guessed, newPassword: secrets.own }
    await send('PUT', '/api/users/me/password', change, own)
    await send('PUT', '/api/users/me/password', { ...change, currentPassword: secrets.changed }, own)
    await send('POST', '/api/auth/login', { userName: 'ada', password: secrets.guessed }, anonymous)
    await send('POST', `/api/auth/login?password=${secrets.guessed}`, {}, anonymous)
    const refreshed = await send('POST', '/api/auth/refresh', JSON.stringify(tokens[1]), anonymous)
    tokens.push(refreshed.body.accessToken, refreshed.body.refreshToken)
    const connectionString = `postgres://u:${secrets.connection}@127.0.0.1:1/db`
    const tenant = {
      id: 'acme',
      name: 'Acme',
      connectionString,
      admin: person('boss', { password: secrets.admin }),
    }
    await send('POST', '/api/tenants', tenant)
    await send('POST', '/api/tenants', {
      ...tenant,
      id: 'other',
      connectionString: `my://${secrets.refusedConnection}`,
    })
    await send('GET', '/api/tenants/acme/database', undefined)
    await anonymous.get('/api/products', { 'x-tenant-id': 'acme' })
  }
})
