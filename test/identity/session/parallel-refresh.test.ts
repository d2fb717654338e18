import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Answer, Client } from '../../support/client.ts'
import { inspect, inspectEach } from '../../support/database/inspect.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { type Instance, startInstance } from '../../support/instance.ts'
import { runsOf } from '../../support/run/extent.ts'
import { person, type SignedIn, type TestTenant } from '../../support/service.ts'
import { type IdentityService, sharedIdentityService } from '../identity-service.ts'

const refreshes = runsOf(12, 50)
const rounds = runsOf(6, 12)
const retries = 6

onEachDatabase('Many parallel refreshes with one token', (database) => {
  let service: IdentityService
  let other: Instance | null = null
  before(async () => {
    service = await sharedIdentityService(database)
    if (database === 'postgres') other = await startInstance(service, { clock: service.clock.now })
  })
  after(async () => {
    await other?.stop()
    await service.stop()
  })

  it('give one and the same successor, and sign nobody out', async () => {
    const tenant = await service.newTenant()
    const { refreshToken } = await service.signIn('worker', tenant.id)
    const answers = await Promise.all(
      Array.from({ length: refreshes }, (_, index) => refresh(refreshToken, index)),
    )
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array<number>(refreshes).fill(200),
    )
    const successors = new Set(answers.map(({ body }) => body.refreshToken))
    assert.equal(successors.size, 1)
    assert.ok(!successors.has(refreshToken))
    for (const answer of answers) {
      const me = await service.anonymous.withToken(answer.body.accessToken).get('/api/auth/me')
      assert.equal(me.status, 200)
    }
    await eachSessionHasOneToken(tenant)
    const [successor] = successors
    assert.equal((await service.anonymous.post('/api/auth/refresh', { refreshToken: successor })).status, 200)
  })

  it('give one successor that works, when the first one was lost', async () => {
    const tenant = await service.newTenant()
    for (let round = 0; round < rounds; round++) {
      const refreshToken = await exchangedToken('worker', tenant)
      await whileChangesTakeLong(async () => {
        const answers = await Promise.all(
          Array.from({ length: retries }, (_, index) => refresh(refreshToken, index)),
        )
        assert.deepEqual(
          answers.map(({ status }) => status),
          Array<number>(retries).fill(200),
        )
        assert.equal(new Set(answers.map(({ body }) => body.refreshToken)).size, retries)
      })
      await eachSessionHasOneToken(tenant)
    }
  })

  type End = (own: SignedIn, admin: Client) => Promise<Answer>
  const ends: [string, End][] = [
    ['its user signs out', ({ client, refreshToken }) => client.post('/api/auth/logout', { refreshToken })],
    ['its user ends all others', ({ client }) => client.delete('/api/auth/sessions')],
    [
      'an administrator ends it',
      async ({ client }, admin) => admin.delete(`${await pathOf(client)}/sessions`),
    ],
    ['its user is deleted', async ({ client }, admin) => admin.delete(await pathOf(client))],
  ]
  it('are given or refused, and nothing fails, when their session ends meanwhile', async () => {
    const tenant = await service.newTenant()
    for (const [index, [what, end]] of ends.entries()) {
      const userName = `worker-${index}`
      assert.equal((await tenant.admin.post('/api/users', person(userName))).status, 201)
      const own = await service.signIn(userName, tenant.id)
      const tokens = [await exchangedToken(userName, tenant), await exchangedToken(userName, tenant)]
      const [ended, ...answers] = await Promise.all([
        end(own, tenant.admin),
        ...[...tokens, ...tokens].map((token) => refresh(token)),
        refresh(own.refreshToken),
      ])
      assert.ok(ended.status < 300, `${what}: ${ended.text}`)
      for (const { status, text } of answers) assert.ok(status === 200 || status === 401, `${what}: ${text}`)
    }
  })

  async function pathOf(client: Client): Promise<string> {
    return `/api/users/${(await client.get('/api/auth/me')).body.id}`
  }

  /** A token of a new session that was exchanged half a minute ago. */
  async function exchangedToken(userName: string, { id }: TestTenant): Promise<string> {
    const { refreshToken } = await service.signIn(userName, id)
    await refresh(refreshToken)
    service.clock.advance({ seconds: 30 })
    return refreshToken
  }

  /** By the instances in turn. */
  function refresh(refreshToken: string, index = 0): Promise<Answer> {
    const instance = index % 2 === 0 ? null : other
    return (instance ?? service).anonymous.post('/api/auth/refresh', { refreshToken })
  }

  /** On PostgreSQL, where transactions are simultaneous: each statement finds what others have changed meanwhile. */
  async function whileChangesTakeLong(work: () => Promise<void>): Promise<void> {
    if (database === 'sqlite') return work()
    await inspectEach(service.config.databaseUrl, async (ask) => {
      await ask(`CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql
        AS 'BEGIN PERFORM pg_sleep(random() * 0.005); RETURN NULL; END'`)
      await ask('CREATE TRIGGER slow BEFORE UPDATE ON refresh_token EXECUTE FUNCTION slow()')
      await work().finally(() => ask('DROP FUNCTION slow CASCADE'))
    })
  }

  async function eachSessionHasOneToken({ id }: TestTenant): Promise<void> {
    const ofTenant = `SELECT id FROM session WHERE tenant_id = '${id}'`
    const live = `SELECT count(*) AS count FROM refresh_token WHERE rotated_at IS NULL AND session_id IN (${ofTenant}) GROUP BY session_id`
    const counts = await inspect(service.config.databaseUrl, live)
    assert.deepEqual(
      counts.map(({ count }) => Number(count)),
      counts.map(() => 1),
    )
  }
})
