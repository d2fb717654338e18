import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, it } from 'node:test'
import { maxSessions } from '../../../src/identity/session/session.ts'
import type { CollectedMails } from '../../../src/testing/collected-mails.ts'
import type { TestClock } from '../../support/clock.ts'
import { inspect } from '../../support/database/inspect.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { fromAnyAddress } from '../../support/http/forwarded.ts'
import { type Instance, startOther } from '../../support/instance.ts'
import { walkPages } from '../../support/pages.ts'
import { password, person, type TestTenant, uniqueName } from '../../support/service.ts'
import { type IdentityService, sharedIdentityService } from '../identity-service.ts'

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile/15E148 Safari/604.1'

onEitherDatabase('Sessions of users', (database) => {
  let service: IdentityService
  let clock: TestClock
  let mails: CollectedMails
  let other: Instance
  let tenant: TestTenant
  before(async () => {
    service = await sharedIdentityService(database)
    clock = service.clock
    mails = service.mails
    other = await startOther(service, { clock: clock.now })
    tenant = await service.newTenant()
  })
  after(async () => {
    await other.stop()
    await service.stop()
  })

  /** Each test has one: the policy for sign-ins counts by it. */
  let home = ''
  beforeEach(() => {
    home = newAddress()
  })

  const newUser = async (prefix = 'user'): Promise<{ id: string; userName: string }> => {
    const { status, body } = await tenant.admin.post('/api/users', person(uniqueName(prefix)))
    assert.equal(status, 201)
    return body
  }
  const signIn = async (userName: string, address: string, agent: string) => {
    const headers = { 'x-tenant-id': tenant.id, 'x-forwarded-for': address, 'user-agent': agent }
    const { status, body, text } = await service.anonymous.post(
      '/api/auth/login',
      { userName, password },
      headers,
    )
    assert.equal(status, 200, text)
    return { client: service.anonymous.withToken(body.accessToken), ...body }
  }
  const newDevices = async (userId: string): Promise<Record<string, unknown>[]> => {
    const text = `SELECT data FROM event WHERE type = 'device.added' AND tenant_id = '${tenant.id}' ORDER BY id`
    const rows = await inspect(service.config.databaseUrl, text)
    return rows.map(({ data }) => JSON.parse(String(data))).filter((data) => data.userId === userId)
  }

  it('are listed with device, network and last use, and the current one is marked', async () => {
    const { userName } = await newUser()
    await signIn(userName, home, firefox)
    const second = await signIn(userName, '2001:db8::1', safari)
    clock.advance({ seconds: 61 })
    const { status } = await service.anonymous.post('/api/auth/refresh', {
      refreshToken: second.refreshToken,
    })
    assert.equal(status, 200)
    const { body } = await second.client.get('/api/auth/sessions')
    const shown = body.map(({ device, place, methods, isCurrent }: Record<string, unknown>) => [
      device,
      place,
      methods,
      isCurrent,
    ])
    assert.deepEqual(shown, [
      ['Safari on iPhone', '2001:db8:0:0::/64', ['pwd'], true],
      ['Firefox on Windows', home, ['pwd'], false],
    ])
    const pages = await walkPages(second.client, '/api/auth/sessions?limit=1&count=true')
    assert.deepEqual(
      pages.map((page) => [page.headers.get('x-total-count'), ...page.body]),
      body.map((session: object) => ['2', session]),
    )
    assert.ok(body[0].lastUsedAt > body[0].createdAt)
    assert.equal(body[1].lastUsedAt, body[1].createdAt)
  })

  it('record a use at most once a minute', async () => {
    const { userName } = await newUser()
    const { client, refreshToken } = await signIn(userName, home, firefox)
    clock.advance({ seconds: 30 })
    assert.equal((await service.anonymous.post('/api/auth/refresh', { refreshToken })).status, 200)
    const [session] = (await client.get('/api/auth/sessions')).body
    assert.equal(session.lastUsedAt, session.createdAt)
  })

  it('are ended one by one, within a second on another instance', async () => {
    const { userName } = await newUser()
    const [here, lost] = [await signIn(userName, home, firefox), await signIn(userName, newAddress(), safari)]
    const there = other.anonymous.withToken(lost.accessToken)
    assert.equal((await there.get('/api/auth/me')).status, 200)
    const id = (await lost.client.get('/api/auth/sessions')).body.find(
      (one: { isCurrent: boolean }) => one.isCurrent,
    ).id
    assert.equal((await here.client.delete(`/api/auth/sessions/${id}`)).status, 204)
    await eventually('there', soonMs, async () => (await there.get('/api/auth/me')).status === 401)
    assert.equal((await here.client.delete(`/api/auth/sessions/${id}`)).status, 404)
    const { refreshToken } = lost
    assert.equal((await service.anonymous.post('/api/auth/refresh', { refreshToken })).status, 401)
    const [record] = (await tenant.admin.get(`/api/audit?action=session.ended&subjectId=${id}`)).body
    assert.equal(record.actorName, userName)
  })

  it('are ended all but the current one', async () => {
    const { userName } = await newUser()
    const [first, second] = [await signIn(userName, home, firefox), await signIn(userName, home, safari)]
    assert.equal((await second.client.delete('/api/auth/sessions')).status, 204)
    await eventually('first', soonMs, async () => (await first.client.get('/api/auth/me')).status === 401)
    assert.equal((await second.client.get('/api/auth/sessions')).body.length, 1)
  })

  it('of others are not found, nor ended', async () => {
    const [{ userName }, stranger] = [await newUser(), await service.newTenant()]
    const { client } = await signIn(userName, home, firefox)
    const [{ id }] = (await client.get('/api/auth/sessions')).body
    for (const caller of [tenant.user, tenant.admin, stranger.admin, service.host])
      assert.equal((await caller.delete(`/api/auth/sessions/${id}`)).status, 404)
    assert.equal((await client.get('/api/auth/me')).status, 200)
  })

  it('are seen and ended by administrators of the tenant alone', async () => {
    const { id, userName } = await newUser()
    const stranger = await service.newTenant()
    const { client } = await signIn(userName, home, firefox)
    const path = `/api/users/${id}/sessions`
    const [session] = (await tenant.admin.get(path)).body
    assert.equal(session.device, 'Firefox on Windows')
    assert.equal((await stranger.admin.get(path)).status, 404)
    assert.equal((await stranger.admin.delete(path)).status, 404)
    assert.equal((await tenant.user.get(path)).status, 403)
    assert.equal((await tenant.admin.delete(`${path}/${uuid}`)).status, 404)
    assert.equal((await tenant.admin.delete(`${path}/${session.id}`)).status, 204)
    await eventually('the end', soonMs, async () => (await client.get('/api/auth/me')).status === 401)
    const again = await signIn(userName, home, firefox)
    assert.equal((await tenant.admin.delete(path)).status, 204)
    await eventually('the end', soonMs, async () => (await again.client.get('/api/auth/me')).status === 401)
  })

  it('of an administrator are not shown to those who may do less', async () => {
    const permissions = ['session:read', 'session:write', 'user:read']
    const name = uniqueName('Support')
    assert.equal((await tenant.admin.post('/api/roles', { name, permissions })).status, 201)
    const helper = person(uniqueName('helper'), { roles: [name, 'User'] })
    assert.equal((await tenant.admin.post('/api/users', helper)).status, 201)
    const { client } = await service.signIn(String(helper['userName']), tenant.id)
    const { body: boss } = await tenant.admin.get('/api/auth/me')
    const { body: worker } = await tenant.user.get('/api/auth/me')
    assert.equal((await client.get(`/api/users/${worker.id}/sessions`)).status, 200)
    assert.equal((await client.get(`/api/users/${boss.id}/sessions`)).status, 403)
    assert.equal((await client.delete(`/api/users/${boss.id}/sessions`)).status, 403)
    assert.equal((await tenant.admin.get('/api/auth/me')).status, 200)
  })

  it(`are at most ${maxSessions}: the one that was not used for the longest time ends`, async () => {
    const { id, userName } = await newUser()
    const first = await signIn(userName, home, firefox)
    clock.advance({ seconds: 1 })
    await storeSessions(id, maxSessions - 1)
    clock.advance({ seconds: 1 })
    const { client } = await signIn(userName, home, firefox)
    await eventually(
      'the oldest',
      soonMs,
      async () => (await first.client.get('/api/auth/me')).status === 401,
    )
    assert.equal((await client.get('/api/auth/sessions')).body.length, maxSessions)
  })

  it('from a new device and a new network are an event, but not the first, nor if one is known', async () => {
    // A mail would show this name without its dot: it reads like the name of a host.
    const { id, userName } = await newUser('ada.example')
    const away = newAddress()
    await signIn(userName, home, firefox)
    await signIn(userName, newAddress(), firefox)
    await signIn(userName, home, safari)
    assert.deepEqual(await newDevices(id), [])
    await signIn(userName, away, 'curl/8.0')
    const email = `${userName}@example.com`
    const told = () => mails.list().filter(({ to }) => to === email)
    await eventually('the mail', soonMs, async () => told().length > 0)
    assert.deepEqual(
      told().map(({ template, text }) => [template, /curl/.test(text), text.includes(away)]),
      [['account.newDevice', true, true]],
    )
    const [event, ...more] = await newDevices(id)
    const { userName: named, device, network } = event ?? {}
    assert.deepEqual([named, device, network, more], [userName, 'curl', away, []])
    clock.advance({ days: 80 })
    await tenantSignsInAgain()
    await signIn(userName, away, 'curl/8.0')
    assert.equal((await newDevices(id)).length, 2)
  })

  /** As if the user had signed in so many times. */
  async function storeSessions(userId: string, count: number): Promise<void> {
    const moment = clock.now().toISOString()
    const expiry = new Date(clock.now().getTime() + 86_400_000).toISOString()
    const rows = Array.from(
      { length: count },
      () => `('${randomUUID()}', '${tenant.id}', '${userId}', '${moment}', '${moment}', '${expiry}', '')`,
    )
    const columns = 'id, tenant_id, account_id, created_at, last_used_at, expires_at, client_address'
    await inspect(service.config.databaseUrl, `INSERT INTO session (${columns}) VALUES ${rows.join()}`)
  }

  /** The clock has run: the tokens of the tenant's own callers have expired. */
  async function tenantSignsInAgain(): Promise<void> {
    tenant.admin = (await service.signIn('boss', tenant.id)).client
    tenant.user = (await service.signIn('worker', tenant.id)).client
  }
})

function newAddress(): string {
  return fromAnyAddress()['x-forwarded-for'] ?? ''
}

const uuid = '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'
