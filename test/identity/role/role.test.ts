/** Roles that tenants make, and what they grant. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Client } from '../../support/client.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { EventReader } from '../../support/graphql/event-reader.ts'
import { type Instance, startOther } from '../../support/instance.ts'
import { newProduct, orderOf } from '../../support/orders.ts'
import { person, type TestTenant, uniqueName } from '../../support/service.ts'
import { type IdentityService, sharedIdentityService } from '../identity-service.ts'

onEitherDatabase('Roles of a tenant', (database) => {
  let service: IdentityService
  let other: Instance
  let tenant: TestTenant
  before(async () => {
    service = await sharedIdentityService(database)
    other = await startOther(service, { clock: service.clock.now })
    tenant = await service.newTenant()
  })
  after(async () => {
    await other.stop()
    await service.stop()
  })

  const newRole = async (permissions: string[], by: Client = tenant.admin): Promise<string> => {
    const name = uniqueName('Role')
    const made = await by.post('/api/roles', { name, permissions })
    assert.equal(made.status, 201, made.text)
    return name
  }

  /** A user with these roles. */
  const newUser = async (roles: string[]): Promise<{ client: Client; id: string; userName: string }> => {
    const userName = uniqueName('user')
    const made = await tenant.admin.post('/api/users', person(userName, { roles }))
    assert.equal(made.status, 201, made.text)
    const { client } = await service.signIn(userName, tenant.id)
    return { client, id: made.body.id, userName }
  }

  it('grant what they name and nothing else, in REST and GraphQL', async () => {
    const { client } = await newUser([await newRole(['order:read'])])
    assert.equal((await client.get('/api/orders')).status, 200)
    const refused = await client.post('/api/orders', {})
    assert.equal(refused.status, 403)
    assert.deepEqual(refused.body, { message: 'This requires the permission order:write.' })
    const read = await client.post('/graphql', { query: '{ orders { totalCount } }' })
    assert.equal(read.body.data.orders.totalCount, 0)
    const query = 'mutation { payOrder(id: "0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11") { id } }'
    const { body } = await client.post('/graphql', { query })
    assert.equal(body.errors[0].extensions.code, 'AUTH_NOT_AUTHORIZED')
    assert.equal(body.errors[0].message, 'This requires the permission order:write.')
    const me = await client.get('/api/auth/me')
    assert.deepEqual(me.body.permissions, ['order:read'])
  })

  it('take effect on every instance when they change, without a new sign-in', async () => {
    const name = await newRole(['order:read'])
    const { client } = await newUser([name])
    const elsewhere = other.anonymous.with({ ...client.headers })
    assert.equal((await elsewhere.get('/api/audit')).status, 403)
    await tenant.admin.put(`/api/roles/${name}`, { permissions: ['audit:read'] })
    const changed = async (at: Client) =>
      (await at.get('/api/audit')).status === 200 && (await at.get('/api/orders')).status === 403
    await eventually('here', soonMs, () => changed(client))
    await eventually('elsewhere', soonMs, () => changed(elsewhere))
  })

  it('end what a subscription receives', async () => {
    const name = await newRole(['order:read'])
    const { client } = await newUser([name])
    const product = await newProduct(tenant.user)
    const place = () => tenant.user.post('/api/orders', orderOf([[product, 1]]))
    await using reader = await EventReader.open(client)
    await place()
    await reader.next()
    const change = await tenant.admin.put(`/api/roles/${name}`, { permissions: ['webhook:read'] })
    assert.equal(change.status, 200)
    await eventually('the change', soonMs, async () => (await client.get('/api/orders')).status === 403)
    await place()
    const { data } = await reader.next()
    assert.equal(data.errors[0].extensions.code, 'AUTH_NOT_AUTHORIZED')
    await reader.ended
  })

  it('may be given and changed only by those who have what they grant', async () => {
    const manager = await newUser([await newRole(['role:write', 'user:write', 'order:read'])])
    const beyond = await manager.client.post('/api/roles', {
      name: 'Boss',
      permissions: ['order:read', 'audit:read'],
    })
    assert.equal(beyond.status, 403)
    assert.deepEqual(beyond.body, { message: 'You cannot grant what you do not have: audit:read.' })
    const own = await newRole(['order:read'], manager.client)
    const raise = await manager.client.put(`/api/roles/${own}`, {
      permissions: ['order:read', 'order:write'],
    })
    assert.equal(raise.status, 403)
    const strong = await newRole(['audit:read'])
    for (const roles of [['Admin'], ['User'], [strong]]) {
      const made = await manager.client.post('/api/users', person(uniqueName('user'), { roles }))
      assert.equal(made.status, 403, roles.join())
      const self = await manager.client.put(`/api/users/${manager.id}`, { roles })
      assert.equal(self.status, 403, roles.join())
    }
    const weak = await manager.client.post('/api/users', person(uniqueName('user'), { roles: [own] }))
    assert.equal(weak.status, 201)
  })

  it('protect their users from those who may do less', async () => {
    const manager = await newUser([await newRole(['user:write', 'user:read'])])
    const target = await newUser(['Admin'])
    const taken = await manager.client.put(`/api/users/${target.id}`, { password: 'Stolen@123' })
    assert.equal(taken.status, 403)
    assert.deepEqual(taken.body, { message: 'The user has what you do not have: Admin.' })
    assert.equal((await manager.client.delete(`/api/users/${target.id}`)).status, 403)
    assert.equal((await target.client.get('/api/users')).status, 200)
  })

  it('are changed and deleted only by those who have what they grant', async () => {
    const manager = await newUser([await newRole(['role:write', 'role:read', 'order:read'])])
    const higher = await newRole(['order:read', 'audit:read'])
    for (const permissions of [[], ['order:read'], ['order:read', 'audit:read']]) {
      const refused = await manager.client.put(`/api/roles/${higher}`, { permissions })
      assert.equal(refused.status, 403)
      assert.deepEqual(refused.body, { message: 'The role grants what you do not have: audit:read.' })
    }
    assert.equal((await manager.client.delete(`/api/roles/${higher}`)).status, 403)
    assert.deepEqual((await manager.client.get(`/api/roles/${higher}`)).body.permissions.length, 2)
    const lower = await newRole(['order:read'])
    assert.equal((await manager.client.put(`/api/roles/${lower}`, { permissions: [] })).status, 200)
    assert.equal((await manager.client.delete(`/api/roles/${lower}`)).status, 204)
  })

  it('are not taken from users who may do more', async () => {
    const manager = await newUser([await newRole(['role:write', 'order:read', 'order:write'])])
    const name = await newRole(['order:read', 'order:write'])
    await newUser([name, await newRole(['audit:read'])])
    const path = `/api/roles/${name}`
    const refused = await manager.client.put(path, { permissions: ['order:read'] })
    assert.equal(refused.status, 403)
    assert.deepEqual(refused.body, { message: 'A user with the role has what you do not have: audit:read.' })
    assert.equal((await tenant.admin.put(path, { permissions: ['order:read'] })).status, 200)
    assert.equal((await manager.client.put(path, { permissions: ['order:read', 'order:write'] })).status, 200)
  })

  it('cannot be deleted while a user has them', async () => {
    const name = await newRole(['order:read'])
    const { id } = await newUser(['User', name])
    const refused = await tenant.admin.delete(`/api/roles/${name}`)
    assert.equal(refused.status, 400)
    assert.deepEqual(refused.body, { message: 'The role is in use by 1 users and cannot be deleted.' })
    await tenant.admin.put(`/api/users/${id}`, { roles: ['User'] })
    assert.equal((await tenant.admin.delete(`/api/roles/${name}`)).status, 204)
    assert.equal((await tenant.admin.get(`/api/roles/${name}`)).status, 404)
    const gone = await tenant.admin.put(`/api/users/${id}`, { roles: [name] })
    assert.equal(gone.status, 400)
    assert.match(gone.body.message, /^roles: names no role: Role-/)
  })

  it('are either deleted or given when both happen at once', async () => {
    const name = await newRole(['order:read'])
    const answers = await Promise.all([
      tenant.admin.delete(`/api/roles/${name}`),
      ...Array.from({ length: 4 }, () =>
        tenant.admin.post('/api/users', person(uniqueName('user'), { roles: [name] })),
      ),
    ])
    const [deleted, ...given] = answers.map(({ status }) => status)
    const isGiven = given.includes(201)
    assert.equal(deleted, isGiven ? 400 : 204, answers.map(({ text }) => text).join())
    assert.equal((await tenant.admin.get(`/api/roles/${name}`)).status, isGiven ? 200 : 404)
  })

  it('have names of their own, and name permissions that exist', async () => {
    const name = await newRole([])
    for (const [input, reason] of [
      [{ name: 'admin', permissions: [] }, 'name: is taken by another role'],
      [{ name: name.toUpperCase(), permissions: [] }, 'name: is taken by another role'],
      [
        { name: 'Clerk', permissions: ['order:raed'] },
        'permissions: names no permission: order:raed; did you mean order:read?',
      ],
    ] as const) {
      const refused = await tenant.admin.post('/api/roles', input)
      assert.equal(refused.status, 400)
      assert.deepEqual(refused.body, { message: reason })
    }
    assert.equal((await tenant.admin.put('/api/roles/Admin', { permissions: [] })).status, 400)
    assert.equal((await tenant.admin.delete('/api/roles/user')).status, 400)
    assert.equal((await tenant.admin.post('/api/roles', { name: 'a b', permissions: [] })).status, 400)
  })

  it('are changed conditionally, audited and announced', async () => {
    const name = await newRole(['order:read'])
    const { headers, body } = await tenant.admin.get(`/api/roles/${name}`)
    assert.deepEqual(body, {
      name,
      description: null,
      permissions: ['order:read'],
      isBuiltIn: false,
      source: 'tenant',
      createdAt: body.createdAt,
    })
    const tag = headers.get('etag') ?? ''
    const change = (permissions: string[]) =>
      tenant.admin.put(`/api/roles/${name}`, { permissions }, { 'if-match': tag })
    assert.equal((await change(['order:write'])).status, 200)
    assert.equal((await change(['order:read'])).status, 412)
    const { body: records } = await tenant.admin.get('/api/audit?limit=5')
    const [record] = records.filter(({ action }: { action: string }) => action === 'role.updated')
    assert.deepEqual(record.detail, { before: ['order:read'], after: ['order:write'] })
    assert.equal(record.subjectId, name)
  })

  it('are listed with the built-in ones, of the own tenant only', async () => {
    const name = await newRole(['order:read'])
    const { body } = await tenant.admin.get('/api/roles')
    const names = body.map((role: { name: string }) => role.name)
    assert.deepEqual(names.slice(0, 2), ['Admin', 'User'])
    assert.ok(names.includes(name))
    const stranger = await service.newTenant()
    assert.equal((await stranger.admin.get(`/api/roles/${name}`)).status, 404)
    assert.deepEqual((await stranger.admin.get('/api/roles')).body.length, 2)
    const foreign = await stranger.admin.post('/api/users', person(uniqueName('user'), { roles: [name] }))
    assert.equal(foreign.status, 400)
    const { body: permissions } = await tenant.admin.get('/api/permissions')
    const [, user] = body
    const ofUser = permissions.filter(({ roles }: { roles: string[] }) => roles.includes('User'))
    assert.deepEqual(
      ofUser.map((each: { name: string }) => each.name),
      user.permissions,
    )
  })
})
