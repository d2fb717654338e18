/** A recent sign-in is asked of whoever makes, takes over or strips an administrator, however that is done. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { recentSignInMs } from '../../../src/identity/session/recent-sign-in.ts'
import type { Answer, Client } from '../../support/client.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { password, person, type TestTenant, uniqueName } from '../../support/service.ts'
import { type IdentityService, sharedIdentityService } from '../identity-service.ts'

interface Scene {
  /** An administrator of the tenant. */
  by: Client
  /** The id of another administrator, of a user who is none, and of a deactivated administrator. */
  admin: string
  user: string
  former: string
  /** A role that makes administrators, and one that makes none. */
  strong: string
  weak: string
}

type Change = (scene: Scene) => Promise<Answer>

const change = (id: string, members: object) => (by: Client) => by.put(`/api/users/${id}`, members)
const email = () => `${uniqueName('new')}@example.com`

const asked: Record<string, Change> = {
  'an administrator is created': ({ by }) =>
    by.post('/api/users', person(uniqueName('a'), { roles: ['Admin'] })),
  'a user with a role of administrators is created': ({ by, strong }) =>
    by.post('/api/users', person(uniqueName('a'), { roles: ['User', strong] })),
  'an administrator is invited': ({ by }) =>
    by.post('/api/invitations', { email: email(), roles: ['Admin'] }),
  'a user becomes an administrator': ({ by, user }) => change(user, { roles: ['Admin'] })(by),
  'a former administrator is activated': ({ by, former }) => change(former, { isActive: true })(by),
  'an administrator gets a password': ({ by, admin }) => change(admin, { password: 'Other@456' })(by),
  'an administrator gets an address': ({ by, admin }) => change(admin, { email: email() })(by),
  'an administrator gets a user name': ({ by, admin }) => change(admin, { userName: uniqueName('b') })(by),
  'an administrator loses the role': ({ by, admin }) => change(admin, { roles: ['User'] })(by),
  'an administrator is deactivated': ({ by, admin }) => change(admin, { isActive: false })(by),
  'an administrator is deleted': ({ by, admin }) => by.delete(`/api/users/${admin}`),
  'a role of administrators is made': ({ by }) =>
    by.post('/api/roles', { name: uniqueName('Role'), permissions: ['user:write'] }),
  'a role becomes one of administrators': ({ by, weak }) =>
    by.put(`/api/roles/${weak}`, { permissions: ['order:read', 'user:write'] }),
  'a role of administrators is stripped': ({ by, strong }) =>
    by.put(`/api/roles/${strong}`, { permissions: [] }),
  'a role of administrators becomes that of whoever is invited': ({ by, strong }) =>
    by.put('/api/tenant/settings', { defaultRole: strong }),
}

const notAsked: Record<string, Change> = {
  'a user is created': ({ by }) => by.post('/api/users', person(uniqueName('a'))),
  'a user is invited': ({ by }) => by.post('/api/invitations', { email: email(), roles: ['User'] }),
  'a user gets a password': ({ by, user }) => change(user, { password: 'Other@456' })(by),
  'a user is deleted': ({ by, user }) => by.delete(`/api/users/${user}`),
  'an administrator is renamed, with the roles as they are': ({ by, admin }) =>
    change(admin, { lastName: 'Other', roles: ['Admin'], isActive: true })(by),
  'a role that makes no administrator is made': ({ by }) =>
    by.post('/api/roles', { name: uniqueName('Role'), permissions: ['order:read'] }),
  'a role that makes no administrator is changed': ({ by, weak }) =>
    by.put(`/api/roles/${weak}`, { permissions: [] }),
  'a role that makes no administrator becomes that of whoever is invited': ({ by, weak }) =>
    by.put('/api/tenant/settings', { defaultRole: weak }),
  'a role of administrators is described': ({ by, strong }) =>
    by.put(`/api/roles/${strong}`, { description: 'Cares for users' }),
}

onEitherDatabase('A recent sign-in', (database) => {
  let service: IdentityService
  let tenant: TestTenant
  before(async () => {
    service = await sharedIdentityService(database)
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  const newScene = async (): Promise<Scene> => {
    const boss = (await service.signIn('boss', tenant.id)).client
    const userName = uniqueName('admin')
    const idOf = async (members: object): Promise<string> =>
      (await boss.post('/api/users', person(uniqueName('user'), { ...members }))).body.id
    await boss.post('/api/users', person(userName, { roles: ['Admin'] }))
    const roleOf = async (permissions: string[]): Promise<string> =>
      (await boss.post('/api/roles', { name: uniqueName('Role'), permissions })).body.name
    const scene = {
      by: (await service.signIn(userName, tenant.id)).client,
      admin: await idOf({ roles: ['Admin'] }),
      user: await idOf({}),
      former: await idOf({ roles: ['Admin'], isActive: false }),
      strong: await roleOf(['user:write']),
      weak: await roleOf(['order:read']),
    }
    service.clock.advance({ seconds: recentSignInMs / 1000 + 1 })
    return scene
  }

  for (const [what, act] of Object.entries(asked)) {
    it(`is asked for before ${what}`, async () => {
      const scene = await newScene()
      const refused = await act(scene)
      assert.deepEqual([refused.status, refused.headers.get('x-step-up')], [403, 'required'], refused.text)
      assert.equal((await scene.by.post('/api/auth/step-up', { password })).status, 200)
      const done = await act(scene)
      assert.ok(done.status < 300, done.text)
    })
  }

  for (const [what, act] of Object.entries(notAsked)) {
    it(`is not asked for when ${what}`, async () => {
      const done = await act(await newScene())
      assert.ok(done.status < 300, done.text)
    })
  }

  it('is asked for before a tenant is created with an administrator', async () => {
    const { client } = await service.signIn('admin')
    service.clock.advance({ seconds: recentSignInMs / 1000 + 1 })
    const create = (members: object) => {
      const id = uniqueName('tenant')
      return client.post('/api/tenants', { id, name: id, ...members })
    }
    const refused = await create({ admin: person('boss') })
    assert.deepEqual([refused.status, refused.headers.get('x-step-up')], [403, 'required'])
    assert.equal((await create({})).status, 201)
    await client.post('/api/auth/step-up', { password })
    assert.equal((await create({ admin: person('boss') })).status, 201)
  })

  it('is asked for before single sign-on is set or removed, and before a domain is named', async () => {
    const { by } = await newScene()
    const settings = { issuer: 'https://login.example.com', clientId: 'c', clientSecret: 's' }
    for (const refused of [
      await by.put('/api/tenant/sso', settings),
      await by.delete('/api/tenant/sso'),
      await by.post('/api/tenant/sso/domains', { domain: 'acme.example' }),
      await by.post('/api/tenant/sso/domains/acme.example/verify'),
      await by.delete('/api/tenant/sso/domains/acme.example'),
    ])
      assert.deepEqual([refused.status, refused.headers.get('x-step-up')], [403, 'required'])
  })

  it('is not asked of an API key', async () => {
    const boss = (await service.signIn('boss', tenant.id)).client
    const permissions = ['user:write', 'user:read', 'role:write', 'apiKey:read']
    const { body } = await boss.post('/api/api-keys', { name: 'Directory', permissions })
    service.clock.advance({ seconds: recentSignInMs / 1000 + 1 })
    const byKey = service.anonymous.with({ 'x-api-key': body.key })
    const role = { name: uniqueName('Role'), permissions: ['user:write'] }
    assert.equal((await byKey.post('/api/roles', role)).status, 201)
  })
})
