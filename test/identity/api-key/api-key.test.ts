/** API keys of a tenant: what they may do, and when they stop. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, it } from 'node:test'
import { intervalJobsOf } from '../../../src/core/jobs.ts'
import type { Client } from '../../support/client.ts'
import type { TestClock } from '../../support/clock.ts'
import { inspect } from '../../support/database/inspect.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { EventReader } from '../../support/graphql/event-reader.ts'
import { RawSocket } from '../../support/graphql/raw-socket.ts'
import { type Instance, startOther } from '../../support/instance.ts'
import { eventsOf, newProduct, orderOf } from '../../support/orders.ts'
import { person, type TestTenant, uniqueName } from '../../support/service.ts'
import { type IdentityService, sharedIdentityService } from '../identity-service.ts'

onEitherDatabase('API keys', (database) => {
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

  const newKey = async (permissions: string[], members: object = {}, by: Client = tenant.admin) => {
    const made = await by.post('/api/api-keys', { name: 'Import', permissions, ...members })
    assert.equal(made.status, 201, made.text)
    return { ...made.body, client: service.anonymous.withToken(made.body.key) }
  }

  const listed = async (id: string) => {
    const { body } = await tenant.admin.get('/api/api-keys')
    return body.find((each: { id: string }) => each.id === id)
  }

  const writeUses = async () => {
    const jobs = intervalJobsOf(service.service.features).filter(({ name }) => name.includes('API keys'))
    assert.equal(jobs.length, 1)
    for (const job of jobs) await job.run(await service.service.operator(), new AbortController().signal)
  }

  it('are shown once, listed without their secret, and revoked', async () => {
    const made = await tenant.admin.post('/api/api-keys', { name: ' CI ', permissions: ['order:read'] })
    assert.equal(made.headers.get('cache-control'), 'no-store')
    const { key, ...rest } = made.body
    assert.match(key, /^tnt_live_[0-9A-Za-z]{36}$/)
    assert.deepEqual(rest, {
      id: rest.id,
      name: 'CI',
      prefix: key.slice(0, 15),
      permissions: ['order:read'],
      ...{ actsFor: null, attributes: {}, expiresAt: null, allowedNetworks: null, lastUsedAt: null },
      createdAt: rest.createdAt,
    })
    assert.deepEqual(await listed(rest.id), rest)
    const byKey = service.anonymous.withToken(key)
    assert.equal((await byKey.get('/api/orders')).status, 200)
    assert.equal((await tenant.admin.delete(`/api/api-keys/${rest.id}`)).status, 204)
    assert.equal((await tenant.admin.delete(`/api/api-keys/${rest.id}`)).status, 404)
    assert.equal(await listed(rest.id), undefined)
    await eventually('revoked', soonMs, async () => (await byKey.get('/api/orders')).status === 401)
    assertError(await byKey.get('/api/orders'), 401, 'There is no such API key. It may have been revoked.')
  })

  it('do what they name and nothing else, in REST and GraphQL', async () => {
    const { client, id } = await newKey(['order:read'])
    assert.equal((await client.get('/api/orders')).status, 200)
    assertError(await client.post('/api/orders', {}), 403, 'This requires the permission order:write.')
    const read = await client.post('/graphql', { query: '{ orders { totalCount } }' })
    assert.equal(typeof read.body.data.orders.totalCount, 'number')
    const query = 'mutation { payOrder(id: "0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11") { id } }'
    const { body } = await client.post('/graphql', { query })
    assert.equal(body.errors[0].message, 'This requires the permission order:write.')
    assert.equal((await tenant.admin.delete(`/api/api-keys/${id}`)).status, 204)
  })

  it('are sent in either header, and in both only if they are the same', async () => {
    const { key } = await newKey(['order:read'])
    const apiKey = { 'x-api-key': key }
    const get = (headers: Record<string, string>) => service.anonymous.get('/api/orders', headers)
    assert.equal((await get(apiKey)).status, 200)
    assert.equal((await get({ ...apiKey, authorization: `bearer ${key}` })).status, 200)
    const text = 'Authorization and X-Api-Key have different credentials.'
    assertError(await get({ ...apiKey, ...tenant.user.headers }), 401, text)
    const wrong = 'This is not an API key: its form or its checksum is wrong.'
    assertError(await get({ 'x-api-key': `${key}0` }), 401, wrong)
  })

  it('of others are ignored', async () => {
    const ofProvider = { 'x-api-key': 'sk_live_4eC39HqLyjWDarjtT1zdp7dc' }
    const none = 'A bearer token is required, and the request has none.'
    assertError(await service.anonymous.get('/api/orders', ofProvider), 401, none)
    assert.equal((await tenant.user.get('/api/orders', ofProvider)).status, 200)
  })

  it('are no users', async () => {
    const { client, id } = await newKey(['order:read', 'user:read'])
    const text = 'This requires a signed-in user, and an API key is none.'
    assertError(await client.get('/api/auth/me'), 403, text)
    assertError(await client.post('/api/auth/logout'), 403, text)
    const passwords = { currentPassword: 'Admin@123', newPassword: 'Other@123' }
    assertError(await client.put('/api/users/me/password', passwords), 403, text)
    const { body } = await client.post('/graphql', { query: '{ me { id } }' })
    assert.equal(body.errors[0].message, text)
    assert.equal((await client.get(`/api/users/${id}`)).status, 404)
  })

  it('have no permission that their creator lacks, and create no keys', async () => {
    const role = uniqueName('Role')
    const permissions = ['apiKey:write', 'order:read']
    await tenant.admin.post('/api/roles', { name: role, permissions })
    const made = await tenant.admin.post('/api/users', person(uniqueName('user'), { roles: [role] }))
    const { client } = await service.signIn(made.body.userName, tenant.id)
    const beyond = { name: 'Beyond', permissions: ['order:read', 'audit:read'] }
    const lacking = 'You cannot grant what you do not have: audit:read.'
    assertError(await client.post('/api/api-keys', beyond), 403, lacking)
    const key = await newKey(permissions, {}, client)
    const successor = await key.client.post('/api/api-keys', { name: 'Successor', permissions: [] })
    assertError(successor, 403, 'An API key cannot create API keys.')
    await tenant.admin.delete(`/api/users/${made.body.id}`)
    assert.equal((await key.client.get('/api/orders')).status, 200)
  })

  it('are revoked only by those who may do what they may', async () => {
    const { id, client } = await newKey(['order:read', 'audit:read'])
    const role = uniqueName('Role')
    await tenant.admin.post('/api/roles', { name: role, permissions: ['apiKey:write', 'order:read'] })
    const made = await tenant.admin.post('/api/users', person(uniqueName('user'), { roles: [role] }))
    const keeper = (await service.signIn(made.body.userName, tenant.id)).client
    const text = 'The API key has what you do not have: audit:read.'
    assertError(await keeper.delete(`/api/api-keys/${id}`), 403, text)
    assert.equal((await client.get('/api/orders')).status, 200)
    const below = await newKey(['order:read'])
    assert.equal((await keeper.delete(`/api/api-keys/${below.id}`)).status, 204)
  })

  it('are valid input, or refused', async () => {
    for (const [input, reason] of [
      [{ permissions: ['order:raed'] }, /^permissions: names no permission: order:raed; did you mean/],
      [{ expiresAt: clock.now().toISOString() }, /^expiresAt: must be in the future$/],
      [{ allowedNetworks: ['10.0.0.0/33'] }, /^allowedNetworks: 10\.0\.0\.0\/33 is not a network/],
      [{ allowedNetworks: [] }, /^allowedNetworks: /],
      [{ name: '' }, /^name: /],
    ] as const) {
      const refused = await tenant.admin.post('/api/api-keys', { name: 'X', permissions: [], ...input })
      assert.equal(refused.status, 400)
      assert.match(refused.body.message, reason)
    }
  })

  it('expire', async () => {
    const expiresAt = new Date(clock.now().getTime() + 60_000).toISOString()
    const { client, id } = await newKey(['order:read'], { expiresAt })
    assert.equal((await listed(id)).expiresAt, expiresAt)
    assert.equal((await client.get('/api/orders')).status, 200)
    clock.advance({ seconds: 61 })
    assertError(await client.get('/api/orders'), 401, 'The API key has expired.')
  })

  it('allow their networks only, and record what they refuse once a minute', async () => {
    const { client, id } = await newKey(['order:read'], {
      allowedNetworks: ['192.0.2.0/24', '2001:db8::/32'],
    })
    const from = (address: string) => client.get('/api/orders', { 'x-forwarded-for': address })
    for (const address of ['192.0.2.7', '2001:db8::1', '::ffff:192.0.2.8', '192.0.2.7'])
      assert.equal((await from(address)).status, 200, address)
    for (const address of ['198.51.100.1', '2001:db9::1', '198.51.100.1'])
      assertError(await from(address), 403, `This API key does not allow the address ${address}.`)
    await writeUses()
    const { body } = await tenant.admin.get(`/api/audit?action=apiKey.refused&subjectId=${id}`)
    assert.equal(body.length, 1)
    assert.equal(body[0].actorName, 'apiKey:Import')
    assert.deepEqual(body[0].detail, { address: '198.51.100.1' })
  })

  it('tell when they were last used, to the minute', async () => {
    const { client, id } = await newKey(['order:read'])
    const use = async () => {
      assert.equal((await client.get('/api/orders')).status, 200)
      await writeUses()
      return (await listed(id)).lastUsedAt
    }
    const first = await use()
    assert.ok(Math.abs(Date.parse(first) - clock.now().getTime()) < soonMs)
    clock.advance({ seconds: 30 })
    assert.equal(await use(), first)
    clock.advance({ seconds: 31 })
    assert.ok((await use()) > first)
  })

  it('belong to their tenant', async () => {
    const { id, key } = await newKey(['order:read'])
    const stranger = await service.newTenant()
    assertError(await stranger.admin.delete(`/api/api-keys/${id}`), 404, 'There is no such API key.')
    assert.deepEqual((await stranger.admin.get('/api/api-keys')).body, [])
    const headers = { 'x-api-key': key, 'x-tenant-id': stranger.id }
    assert.equal((await service.anonymous.get('/api/orders', headers)).status, 403)
    const ofHost = await newKey(['user:read', 'tenant:read'], {}, service.host)
    assert.equal((await ofHost.client.get(`/api/tenants/${tenant.id}`)).status, 404)
    assert.equal((await ofHost.client.get(`/api/users?tenantId=${tenant.id}`)).status, 403)
  })

  it('are refused while their tenant is deactivated', async () => {
    const closed = await service.newTenant()
    const { client } = await newKey(['order:read'], {}, closed.admin)
    assert.equal((await service.host.delete(`/api/tenants/${closed.id}`)).status, 204)
    const refused = async () => (await client.get('/api/orders')).status === 403
    await eventually('deactivated', soonMs, refused)
    assert.equal((await service.host.put(`/api/tenants/${closed.id}`, { isActive: true })).status, 200)
    await eventually('reactivated', soonMs, async () => !(await refused()))
  })

  it('are made once with an Idempotency-Key, announced and audited', async () => {
    const headers = { 'idempotency-key': uniqueName('key') }
    const input = { name: 'Once', permissions: ['order:read', 'order:write'] }
    const [one, two] = await Promise.all([1, 2].map(() => tenant.admin.post('/api/api-keys', input, headers)))
    assert.equal(one?.status, 201)
    assert.deepEqual(one?.body, two?.body)
    const { id, key } = one?.body ?? {}
    const byKey = service.anonymous.withToken(key)
    assert.equal((await byKey.post('/api/webhooks/subscriptions', {})).status, 403)
    assert.equal((await tenant.admin.delete(`/api/api-keys/${id}`)).status, 204)
    const { body: records } = await tenant.admin.get(`/api/audit?subjectId=${id}`)
    const actions = records.map(({ action }: { action: string }) => action)
    assert.deepEqual(actions, ['apiKey.revoked', 'apiKey.created'])
    assert.ok(!JSON.stringify(records).includes(key))
    const events = (await eventsOf(service, tenant.id)).filter(({ type }) => type.startsWith('apiKey.'))
    const ofKey = events.filter(({ data }) => (data as { apiKeyId?: string }).apiKeyId === id)
    assert.deepEqual(
      ofKey.map(({ type }) => type),
      ['apiKey.created', 'apiKey.revoked'],
    )
  })

  it('are named in the audit as the actor', async () => {
    const { client, id } = await newKey(['user:write'], { name: 'Directory' })
    const userName = uniqueName('user')
    const role = uniqueName('Role')
    await tenant.admin.post('/api/roles', { name: role, permissions: [] })
    const made = await client.post('/api/users', person(userName, { roles: [role] }))
    assert.equal(made.status, 201, made.text)
    const { body } = await tenant.admin.get(`/api/audit?actorId=${id}`)
    assert.equal(body[0].action, 'user.created')
    assert.equal(body[0].actorName, 'apiKey:Directory')
    assertError(await client.post('/api/users', person(uniqueName('user'), { roles: ['Admin'] })), 403)
  })

  it('stop on every instance within a second, and end their subscriptions', async () => {
    const { client, id, key } = await newKey(['order:read'])
    const there = other.anonymous.with({ 'x-api-key': key })
    assert.equal((await there.get('/api/orders')).status, 200)
    await using socket = await RawSocket.enter(other.anonymous.baseUrl, { authorization: key })
    await using byHeader = await RawSocket.enter(service.url, {}, { headers: { 'x-api-key': key } })
    await using reader = await EventReader.open(service.anonymous.with({ 'x-api-key': key }))
    const order = orderOf([[await newProduct(tenant.admin), 1]])
    assert.equal((await tenant.admin.post('/api/orders', order)).status, 201)
    await reader.next()
    assert.equal((await tenant.admin.delete(`/api/api-keys/${id}`)).status, 204)
    await eventually('there', 1000, async () => (await there.get('/api/orders')).status === 401)
    await eventually('here', 1000, async () => (await client.get('/api/orders')).status === 401)
    for (const each of [socket, byHeader])
      assert.deepEqual(await each.closed, [4401, 'The token is no longer valid'])
    assert.equal((await reader.next()).data.errors[0].extensions.code, 'AUTH_NOT_AUTHENTICATED')
    await reader.ended
  })

  /** As if the tenant had made so many. */
  const storeKeys = async (tenantId: string, count: number) => {
    const moment = clock.now().toISOString()
    const rows = Array.from({ length: count }, () => {
      const id = randomUUID()
      return `('${id}', '${tenantId}', 'One', 'tnt_live_', 'digest of ${id}', '[]', '${moment}')`
    })
    const columns = 'id, tenant_id, name, prefix, digest, permissions, created_at'
    await inspect(service.config.databaseUrl, `INSERT INTO api_key (${columns}) VALUES ${rows.join()}`)
  }

  it('are limited in number', async () => {
    const full = await service.newTenant()
    const create = () => full.admin.post('/api/api-keys', { name: 'One', permissions: [] })
    await storeKeys(full.id, 99)
    const last = await Promise.all([create(), create(), create()])
    assert.deepEqual(last.map(({ status }) => status).sort(), [201, 400, 400])
    assertError(await create(), 400, 'A tenant may have 100 API keys.')
    const { body } = await full.admin.get('/api/api-keys')
    assert.equal(body.length, 100)
  })
})
