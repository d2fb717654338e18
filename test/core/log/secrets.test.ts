import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import type { Client } from '../../support/client.ts'
import { openStore, type Store } from '../../support/database/store.ts'
import { type DatabaseName, onEitherDatabase } from '../../support/databases.ts'
import { Workplace } from '../../support/process/workplace.ts'
import { person } from '../../support/service.ts'

onEitherDatabase('A whole session', (database) => {
  it('leaves no secret in the log, even at its most talkative', async () => {
    await using store = await openStore(database)
    const secrets = new Secrets()
    await using role = await ownRole(store, database, secrets)
    await using place = new Workplace({ DATABASE_URL: role.url, LOG_LEVEL: 'trace' })
    const service = await place.serve()
    secrets.add('master key', readFileSync(join(place.folder, 'data/master.key'), 'utf8').trim())
    await livelySession(service.anonymous, secrets)
    const connection = secrets.make('connection of the command line')
    const words = ['tenant', 'create', 'cli', '--name', 'Cli', '--connection-string', '-']
    const created = await place.run(words, { input: `postgres://u:${connection}@127.0.0.1:1/cli` })
    const migrated = await place.run(['migrate'])
    const listed = await place.run(['tenant', 'list'])
    const { stdout, stderr } = await service.stop()

    const log = [{ stdout, stderr }, created, migrated, listed]
      .map((each) => each.stdout + each.stderr)
      .join('')
    assert.match(log, /"status":401/)
    assert.match(log, /The database of this tenant is not ready yet/)
    assert.ok(secrets.count > 12)
    assert.deepEqual(secrets.foundIn(log), [])
  })
})

/** Signs in and out, well and badly, and gives away every kind of secret, in places right and wrong. */
async function livelySession(anonymous: Client, secrets: Secrets): Promise<void> {
  const password = secrets.make('password')
  await anonymous.post('/api/init/first-admin', person('admin', { password }))
  const signIn = async (given: string) => {
    const { body } = await anonymous.post('/api/auth/login', { userName: 'admin', password: given })
    for (const name of ['accessToken', 'refreshToken']) if (body[name]) secrets.add(name, body[name])
    return body
  }
  await signIn(secrets.make('wrong password'))
  const { accessToken, refreshToken } = await signIn(password)
  const admin = anonymous.withToken(accessToken)
  const refreshed = await anonymous.post('/api/auth/refresh', { refreshToken })
  secrets.add('refreshed token', refreshed.body.refreshToken)

  const worker = secrets.make('password of a user')
  const { body } = await admin.post('/api/users', person('worker', { password: worker }))
  await admin.put(`/api/users/${body.id}`, { password: secrets.make('new password') })
  await admin.put('/api/users/me/password', {
    currentPassword: 'x',
    newPassword: secrets.make('own new password'),
  })

  const ways = [
    `postgres://u:${secrets.make('url')}@127.0.0.1:1/x`,
    `Host=127.0.0.1;Port=1;Database=x;Username=u;Password=${secrets.make('pairs')}`,
  ]
  for (const [place, connectionString] of ways.entries()) {
    const id = `own-${place}`
    await admin.post('/api/tenants', { id, name: id, connectionString })
    assert.equal((await anonymous.get('/api/products', { 'x-tenant-id': id })).status, 503)
  }
  await admin.put('/api/tenants/own-0', { connectionString: `mysql://u:${secrets.make('refused url')}@db/x` })

  await anonymous.get(`/api/products?access_token=${secrets.make('token in a query')}`)
  await anonymous.get('/api/auth/me', { authorization: `Bearer ${secrets.make('forged token')}` })
  await anonymous.get('/api/auth/me', {
    cookie: `session=${secrets.make('cookie')}`,
    authorization: `Basic ${secrets.make('basic')}`,
  })
  await admin.post(
    '/api/products',
    { name: 'Desk', price: 1 },
    { 'idempotency-key': secrets.make('idempotency key') },
  )
  await anonymous.post('/api/auth/login', `{"password":"${secrets.make('malformed body')}"`)
  await admin.post('/api/auth/logout', { refreshToken: refreshed.body.refreshToken })
}

class Secrets {
  readonly #values = new Map<string, string>()

  get count(): number {
    return this.#values.size
  }

  /** A new one that is a good password as well. */
  make(what: string): string {
    const value = `Aa1-${randomBytes(9).toString('hex')}`
    this.#values.set(value, what)
    return value
  }

  add(what: string, value: string): void {
    assert.ok(value.length >= 16, what)
    this.#values.set(value, what)
  }

  foundIn(text: string): string[] {
    return [...this.#values].filter(([value]) => text.includes(value)).map(([, what]) => what)
  }
}

/** On PostgreSQL a role whose password is a secret, so that the address of the database holds one. */
async function ownRole(
  store: Store,
  database: DatabaseName,
  secrets: Secrets,
): Promise<AsyncDisposable & { url: string }> {
  const { DATABASE_URL: url = '' } = store.settings
  if (database === 'sqlite') return { url, [Symbol.asyncDispose]: async () => undefined }
  const own = new URL(url)
  own.username = `role_${randomBytes(4).toString('hex')}`
  own.password = secrets.make('password of the database')
  await store.rows(`CREATE ROLE ${own.username} LOGIN PASSWORD '${own.password}'`)
  await store.rows(`ALTER DATABASE ${own.pathname.slice(1)} OWNER TO ${own.username}`)
  const drop = async (): Promise<void> => {
    await store.rows(`REASSIGN OWNED BY ${own.username} TO postgres`)
    await store.rows(`DROP ROLE ${own.username}`)
  }
  return { url: own.href, [Symbol.asyncDispose]: drop }
}
