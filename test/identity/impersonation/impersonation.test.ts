import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Client } from '../../support/client.ts'
import type { TestClock } from '../../support/clock.ts'
import { inspect } from '../../support/database/inspect.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { type Instance, startOther } from '../../support/instance.ts'
import { person, type TestTenant, uniqueName } from '../../support/service.ts'
import { type IdentityService, sharedIdentityService } from '../identity-service.ts'

const reason = 'Ticket 4711'

onEitherDatabase('An administrator of the host who acts as a user', (database) => {
  let service: IdentityService
  let clock: TestClock
  let other: Instance
  let tenant: TestTenant
  before(async () => {
    service = await sharedIdentityService(database)
    clock = service.clock
    other = await startOther(service, { clock: clock.now })
    tenant = await service.newTenant()
  })
  after(async () => {
    await other.stop()
    await service.stop()
  })

  const idOf = async (client: Client): Promise<string> => (await client.get('/api/auth/me')).body.id
  const actAs = async (user: Client, by: Client = service.host, minutes = 15): Promise<Client> => {
    const { status, body, text } = await by.post(`/api/users/${await idOf(user)}/impersonate`, {
      reason,
      minutes,
    })
    assert.equal(status, 200, text)
    return service.anonymous.withToken(body.accessToken)
  }

  it('gets a token without a refresh token, which names both', async () => {
    const userId = await idOf(tenant.user)
    const { body } = await service.host.post(`/api/users/${userId}/impersonate`, { reason })
    assert.deepEqual(Object.keys(body).toSorted(), [
      'accessToken',
      'expiresAt',
      'expiresIn',
      'tokenType',
      'user',
    ])
    assert.equal(body.expiresIn, 900)
    const claims = JSON.parse(Buffer.from(body.accessToken.split('.')[1], 'base64url').toString())
    const hostId = await idOf(service.host)
    assert.deepEqual([claims.sub, claims.act], [userId, { sub: hostId, name: 'admin' }])
    const me = (await service.anonymous.withToken(body.accessToken).get('/api/auth/me')).body
    assert.deepEqual(
      [me.userName, me.tenantId, me.impersonator],
      ['worker', tenant.id, { id: hostId, userName: 'admin' }],
    )
    assert.equal('impersonator' in (await tenant.user.get('/api/auth/me')).body, false)
  })

  for (const [where, own] of [
    ['the shared database', false],
    ['its own database', true],
  ] as const) {
    it(`gets no token that outlives a simultaneous refusal of the tenant, with ${where}`, async () => {
      const connectionString = `sqlite:${uniqueName('own')}.db`
      const there = await service.newTenant(own ? { connectionString } : {})
      const userId = await idOf(there.user)
      const allow = async (allowImpersonation: boolean) =>
        (await there.admin.put('/api/tenant/settings', { allowImpersonation })).status
      for (let round = 0; round < 20; round++) {
        assert.equal(await allow(true), 200)
        const [status, begun] = await Promise.all([
          allow(false),
          service.host.post(`/api/users/${userId}/impersonate`, { reason }),
        ])
        assert.equal(status, 200)
        if (begun.status === 403) continue
        assert.equal(begun.status, 200, begun.text)
        const acting = service.anonymous.withToken(begun.body.accessToken)
        await eventually('the end', soonMs, async () => (await acting.get('/api/auth/me')).status === 401)
      }
    })
  }

  it('is seen by the tenant: in its audit, as an event, and among the sessions of the user', async () => {
    const acting = await actAs(tenant.user)
    const userId = await idOf(tenant.user)
    const [record] = (await tenant.admin.get('/api/audit?action=user.impersonated')).body
    assert.deepEqual([record.actorName, record.subjectId, record.detail.reason], ['admin', userId, reason])
    const text = `SELECT data FROM event WHERE type = 'user.impersonated' AND tenant_id = '${tenant.id}' ORDER BY id DESC`
    const [event] = await inspect(service.config.databaseUrl, text)
    const { impersonatorName, reason: why } = JSON.parse(String(event?.['data']))
    assert.deepEqual([impersonatorName, why], ['admin', reason])
    const sessions: { impersonatorName: string | null }[] = (await tenant.user.get('/api/auth/sessions')).body
    assert.ok(sessions.some((session) => session.impersonatorName === 'admin'))
    assert.equal((await acting.post('/api/auth/logout')).status, 200)
  })

  for (const [where, own] of [
    ['the shared database', false],
    ['its own database', true],
  ] as const) {
    it(`is named by every record of the audit, with ${where}`, async () => {
      const there = await service.newTenant(own ? { connectionString: 'Data Source=impersonated.db' } : {})
      const acting = await actAs(there.admin)
      const changed = await acting.send('POST', '/api/files?name=a.txt', 'Seen', {
        'content-type': 'text/plain',
      })
      assert.equal(changed.status, 201, changed.text)
      assert.equal((await acting.post('/api/auth/logout')).status, 200)
      const { body } = await there.admin.get('/api/audit?limit=200')
      for (const action of ['file.created', 'session.ended']) {
        const record = body.find((one: { action: string }) => one.action === action)
        assert.deepEqual([record.actorName, record.impersonatorName], ['boss', 'admin'], action)
        assert.equal(record.impersonatorId, await idOf(service.host))
      }
      const created = body.find((one: { action: string }) => one.action === 'user.created')
      assert.equal(created.impersonatorId, null)
    })
  }

  it('ends with a sign-out, on every instance within a second, and after its time', async () => {
    const acting = await actAs(tenant.user)
    const there = other.anonymous.with(acting.headers as Record<string, string>)
    assert.equal((await there.get('/api/auth/me')).status, 200)
    await acting.post('/api/auth/logout')
    await eventually('there', soonMs, async () => (await there.get('/api/auth/me')).status === 401)
    assert.equal((await tenant.user.get('/api/auth/me')).status, 200)
    const short = await actAs(tenant.user, service.host, 1)
    assert.equal((await short.get('/api/auth/me')).status, 200)
    clock.advance({ seconds: 61 })
    assert.equal((await short.get('/api/auth/me')).status, 401)
  })

  it('can be ended by the user', async () => {
    const acting = await actAs(tenant.user)
    assert.equal((await tenant.user.delete('/api/auth/sessions')).status, 204)
    await eventually('the end', soonMs, async () => (await acting.get('/api/auth/me')).status === 401)
  })

  const ends: [string, (path: string) => Promise<unknown>][] = [
    ['deactivated', (path) => service.host.put(path, { isActive: false })],
    ['deleted', (path) => service.host.delete(path)],
    ['no administrator any more', (path) => service.host.put(path, { roles: ['User'] })],
  ]
  for (const [what, end] of ends) {
    it(`loses it at once when it is ${what}`, async () => {
      const userName = uniqueName('support')
      const { body } = await service.host.post('/api/users', person(userName, { roles: ['Admin'] }))
      const acting = await actAs(tenant.user, (await service.signIn(userName)).client)
      assert.equal((await acting.get('/api/auth/me')).status, 200)
      await end(`/api/users/${body.id}`)
      await eventually('the end', soonMs, async () => (await acting.get('/api/auth/me')).status === 401)
      assert.equal((await tenant.user.get('/api/auth/me')).status, 200)
    })
  }

  it('does so in GraphQL as well', async () => {
    const acting = await actAs(tenant.user)
    const { body } = await acting.post('/graphql', { query: '{ me { userName } }' })
    assert.equal(body.data.me.userName, 'worker')
  })

  it('is of the host, an administrator, and no API key', async () => {
    const path = `/api/users/${await idOf(tenant.user)}/impersonate`
    const made = await service.host.post('/api/api-keys', { name: 'Key', permissions: ['user:impersonate'] })
    const key = service.anonymous.with({ 'x-api-key': made.body.key })
    const name = uniqueName('Support')
    await service.host.post('/api/roles', { name, permissions: ['user:impersonate', 'user:read'] })
    const userName = uniqueName('support')
    await service.host.post('/api/users', person(userName, { roles: [name] }))
    const lower = (await service.signIn(userName)).client
    for (const caller of [tenant.admin, tenant.user, key, lower])
      assert.equal((await caller.post(path, { reason })).status, 403)
    assert.equal((await service.anonymous.post(path, { reason })).status, 401)
  })

  it('does not act as administrators of the host, unknown or deactivated users, or from another impersonation', async () => {
    const userName = uniqueName('admin')
    const admin = await service.host.post('/api/users', person(userName, { roles: ['Admin'] }))
    const gone = await tenant.admin.post('/api/users', person(uniqueName('gone'), { isActive: false }))
    const refusals: [string, number][] = [
      [admin.body.id, 403],
      [await idOf(service.host), 403],
      [gone.body.id, 404],
      ['0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11', 404],
    ]
    for (const [id, status] of refusals)
      assert.equal((await service.host.post(`/api/users/${id}/impersonate`, { reason })).status, status)
    const hostUser = person(uniqueName('user'))
    await service.host.post('/api/users', hostUser)
    const { client } = await service.signIn(String(hostUser['userName']))
    const acting = await actAs(client)
    const again = await acting.post(`/api/users/${await idOf(tenant.user)}/impersonate`, { reason })
    assert.equal(again.status, 403)
  })

  for (const [where, own] of [
    ['the shared database', false],
    ['its own database', true],
  ] as const) {
    it(`loses it at once when the tenant forbids it, with ${where}`, async () => {
      const there = await service.newTenant(own ? { connectionString: 'Data Source=forbids.db' } : {})
      const [acting, bystander] = [await actAs(there.user), await actAs(tenant.user)]
      const onOther = other.anonymous.with(acting.headers as Record<string, string>)
      assert.equal((await onOther.get('/api/auth/me')).status, 200)
      assert.equal((await there.admin.put('/api/tenant/settings', { brandName: 'Kept' })).status, 200)
      assert.equal((await acting.get('/api/auth/me')).status, 200)
      assert.equal((await there.admin.put('/api/tenant/settings', { allowImpersonation: false })).status, 200)
      assert.equal((await acting.get('/api/auth/me')).status, 401)
      await eventually('the end', soonMs, async () => (await onOther.get('/api/auth/me')).status === 401)
      assert.equal((await there.user.get('/api/auth/me')).status, 200)
      assert.equal((await bystander.get('/api/auth/me')).status, 200)
      assert.equal((await there.admin.put('/api/tenant/settings', { allowImpersonation: true })).status, 200)
      assert.equal((await acting.get('/api/auth/me')).status, 401)
      const [ended] = (await there.admin.get('/api/audit?action=user.impersonationEnded')).body
      assert.deepEqual(
        [ended.actorName, ended.subjectId, ended.detail.impersonatorName],
        ['boss', await idOf(there.user), 'admin'],
      )
    })
  }

  it('is in the audit of the host, without the name of the user', async () => {
    const there = await service.newTenant()
    const acting = await actAs(there.user)
    assert.equal((await acting.post('/api/auth/logout')).status, 200)
    const [ended] = (await service.host.get('/api/audit?action=user.impersonationEnded')).body
    const [began] = (await service.host.get('/api/audit?action=user.impersonated')).body
    for (const record of [began, ended]) {
      assert.deepEqual(
        [record.tenantId, record.actorName, record.subjectId],
        ['default', 'admin', await idOf(there.user)],
      )
      assert.equal(record.detail.tenantId, there.id)
      assert.doesNotMatch(JSON.stringify(record), /worker/)
    }
    assert.equal(began.detail.reason, reason)
    assert.equal(ended.detail.sessionId, began.detail.sessionId)
  })

  it('is refused by a tenant that does not allow it, with bad input, and without a recent sign-in', async () => {
    const there = await service.newTenant()
    const path = `/api/users/${await idOf(there.user)}/impersonate`
    for (const body of [
      {},
      { reason: '' },
      { reason, minutes: 61 },
      { reason, minutes: 0 },
      { reason, minutes: 1.5 },
    ])
      assert.equal((await service.host.post(path, body)).status, 400)
    assert.equal((await there.admin.put('/api/tenant/settings', { allowImpersonation: false })).status, 200)
    const refused = await service.host.post(path, { reason })
    assert.deepEqual([refused.status, /allowImpersonation/.test(refused.text)], [403, true])
    const { client } = await service.signIn('admin')
    clock.advance({ seconds: 601 })
    const late = await client.post(`/api/users/${await idOf(tenant.user)}/impersonate`, { reason })
    assert.deepEqual([late.status, late.headers.get('x-step-up')], [403, 'required'])
  })

  it('is not feigned by a claim that somebody has added', async () => {
    const { accessToken } = await service.signIn('worker', tenant.id)
    const [head, body, signature] = accessToken.split('.')
    const claims = JSON.parse(Buffer.from(body ?? '', 'base64url').toString())
    const forged = Buffer.from(
      JSON.stringify({ ...claims, act: { sub: claims.sub, name: 'admin' } }),
    ).toString('base64url')
    const client = service.anonymous.withToken(`${head}.${forged}.${signature}`)
    assert.equal((await client.get('/api/auth/me')).status, 401)
  })
})
