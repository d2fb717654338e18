/** Roles that an application declares, and those that it gives to users whose creator names none. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { text } from '../../../src/index.ts'
import { createService } from '../../../src/service/service.ts'
import type { ServiceOptions } from '../../../src/service/service-options.ts'
import { CollectedMails } from '../../../src/testing/collected-mails.ts'
import { Client } from '../../support/client.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { fromAnyAddress } from '../../support/http/forwarded.ts'
import { mailedToken } from '../../support/mailed-token.ts'
import { walkPages } from '../../support/pages.ts'
import {
  person,
  startService,
  type TestService,
  type TestTenant,
  uniqueName,
  usualOptions,
} from '../../support/service.ts'

const roles = {
  Agent: ['product:read', 'order:read', 'order:write'],
  Customer: ['product:read'],
  Keeper: [
    'role:read',
    'role:write',
    'user:read',
    'user:write',
    'product:read',
    'invitation:write',
    'invitation:read',
  ],
} as const

onEitherDatabase('A role of the application', (database) => {
  let service: TestService
  let tenant: TestTenant
  const mails = new CollectedMails()
  const declared: ServiceOptions = {
    roles,
    defaultRoles: { invitation: 'Customer' },
    attributes: { region: text() },
    mailTransport: mails,
  }
  before(async () => {
    service = await startService(database, {}, declared)
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  const newUser = async (members: object, by = tenant) => {
    const name = uniqueName('user')
    const made = await by.admin.post('/api/users', person(name, { ...members }))
    assert.equal(made.status, 201, made.text)
    return { ...made.body, ...(await service.signIn(name, by.id)) }
  }
  const permissionsOf = async (client: Client) => (await client.get('/api/auth/me')).body.permissions

  it('is listed in every tenant, and cannot be changed there', async () => {
    const { body } = await tenant.admin.get('/api/roles')
    assert.deepEqual(
      body.map(({ name, source, isBuiltIn }: Record<string, unknown>) => [name, source, isBuiltIn]),
      [
        ['Admin', 'service', true],
        ['User', 'service', true],
        ['Agent', 'application', true],
        ['Customer', 'application', true],
        ['Keeper', 'application', true],
      ],
    )
    await tenant.admin.post('/api/roles', { name: 'Accountant', permissions: ['order:read'] })
    const names = (await walkPages(tenant.admin, '/api/roles?limit=2&fields=name')).map((page) => page.body)
    assert.deepEqual(
      names.flat(),
      [...body, { name: 'Accountant' }].map(({ name }) => ({ name })),
    )
    await tenant.admin.delete('/api/roles/Accountant')
    const { body: one } = await tenant.admin.get('/api/roles/agent')
    assert.deepEqual([one.name, one.permissions], ['Agent', [...roles.Agent].sort()])
    const message = 'A role of the application cannot be changed.'
    for (const answer of [
      await tenant.admin.put('/api/roles/Agent', { permissions: [] }),
      await tenant.admin.delete('/api/roles/agent'),
    ])
      assert.deepEqual([answer.status, answer.body], [400, { message }])
    const taken = await tenant.admin.post('/api/roles', { name: 'AGENT', permissions: [] })
    assert.deepEqual([taken.status, taken.body], [400, { message: 'name: is taken by another role' }])
  })

  it('grants what it names, in the spelling of its declaration', async () => {
    const { client, roles: given } = await newUser({ roles: ['customer', 'Agent'] })
    assert.deepEqual(given, ['Customer', 'Agent'])
    assert.deepEqual(await permissionsOf(client), ['order:read', 'order:write', 'product:read'])
    assert.equal((await client.get('/api/orders')).status, 200)
    assert.equal((await client.get('/api/users')).status, 403)
  })

  it('is given by nobody who has less', async () => {
    const { client } = await newUser({ roles: ['Keeper'] })
    const answer = await client.post('/api/users', person(uniqueName('x'), { roles: ['Agent'] }))
    assert.equal(answer.status, 403)
    assert.match(answer.body.message, /^You cannot grant what you do not have: order:read/)
    const { id } = await newUser({ roles: ['Agent'] })
    assert.equal((await client.put(`/api/users/${id}`, { firstName: 'X' })).status, 403)
    assert.equal(
      (await client.post('/api/users', person(uniqueName('x'), { roles: ['Customer'] }))).status,
      201,
    )
  })

  const invite = async (body: object, by = tenant.admin) => {
    const email = `${uniqueName('guest')}@example.com`
    const made = await by.post('/api/invitations', { email, ...body })
    const sent = () => mails.list().filter(({ to }) => to === email)
    const accept = async () => {
      await eventually('the mail', soonMs, async () => sent().length > 0)
      const { email: _email, ...input } = person(uniqueName('new'))
      const given = { ...input, token: mailedToken(sent().at(-1)?.text) }
      return service.anonymous.post('/api/invitations/accept', given, {
        ...fromAnyAddress(),
        'x-tenant-id': tenant.id,
      })
    }
    return { made, accept }
  }

  it('is given by an invitation: the declared one by default, and with attributes', async () => {
    const { body: settings } = await tenant.admin.get('/api/tenant/settings')
    assert.equal(settings.defaultRole, 'Customer')
    const { made, accept } = await invite({ attributes: { region: 'north' } })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual([made.body.roles, made.body.attributes], [['Customer'], { region: 'north' }])
    const accepted = await accept()
    assert.equal(accepted.status, 201, accepted.text)
    assert.deepEqual([accepted.body.roles, accepted.body.attributes], [['Customer'], { region: 'north' }])
    const named = await invite({ roles: ['Agent'] })
    assert.deepEqual((await named.accept()).body.roles, ['Agent'])
    await tenant.admin.put('/api/tenant/settings', { defaultRole: 'Agent' })
    assert.deepEqual((await invite({})).made.body.roles, ['Agent'])
    await tenant.admin.put('/api/tenant/settings', { defaultRole: null })
    assert.deepEqual((await invite({})).made.body.roles, ['Customer'])
    assert.equal((await invite({ attributes: { regoin: 'x' } })).made.status, 400)
  })

  it('and attributes in an invitation need who may write users, then and when it is accepted', async () => {
    await tenant.admin.post('/api/roles', {
      name: 'Inviter',
      permissions: ['invitation:read', 'invitation:write', 'product:read'],
    })
    const { client } = await newUser({ roles: ['Inviter'] })
    const refused = await invite({ attributes: { region: 'north' } }, client)
    assert.deepEqual(
      [refused.made.status, refused.made.body.message],
      [403, 'This requires the permission user:write.'],
    )
    const { client: keeper, id } = await newUser({ roles: ['Keeper'] })
    const { made, accept } = await invite({ attributes: { region: 'north' } }, keeper)
    assert.equal(made.status, 201, made.text)
    await tenant.admin.put(`/api/users/${id}`, { roles: ['Inviter'] })
    assert.equal((await accept()).status, 400)
    const { body } = await tenant.admin.get(`/api/audit?subjectId=${made.body.id}`)
    assert.equal(body[0].action, 'invitation.refused')
  })

  it('is given to an API key by its permissions, and to whoever signs up as the first user none', async () => {
    const key = { name: 'key', permissions: ['product:read'] }
    assert.equal((await tenant.admin.post('/api/api-keys', key)).status, 201)
    assert.deepEqual((await tenant.admin.get('/api/users/by-username/boss')).body.roles, ['Admin'])
  })
})

onEitherDatabase('A role of a tenant with the name of one of the application', (database) => {
  let service: TestService
  let tenant: TestTenant
  let stop: () => Promise<void>
  before(async () => {
    service = await startService(database)
    tenant = await service.newTenant()
    await tenant.admin.post('/api/roles', { name: 'agent', permissions: ['product:read'] })
    await tenant.admin.post('/api/roles', {
      name: 'Deleter',
      permissions: ['role:read', 'role:write', 'product:read'],
    })
    await tenant.admin.post('/api/users', person('anna', { roles: ['agent'] }))
    await tenant.admin.post('/api/users', person('deleter', { roles: ['Deleter'] }))
    stop = service.stop
    await service.service.stop()
    const restarted = await createService(service.config, { ...usualOptions, roles })
    const url = await restarted.start()
    const at = (client: Client) => new Client(url, { ...client.headers })
    tenant = { ...tenant, admin: at(tenant.admin), user: at(tenant.user) }
    service = { ...service, service: restarted, anonymous: at(service.anonymous) }
  })
  after(async () => {
    await service.service.stop()
    await stop()
  })

  const signIn = async (userName: string) => {
    const headers = { ...fromAnyAddress(), 'x-tenant-id': tenant.id }
    const { body } = await service.anonymous.post(
      '/api/auth/login',
      { userName, password: 'Admin@123' },
      headers,
    )
    return service.anonymous.withToken(body.accessToken)
  }
  const permissionsOf = async (client: Client) => (await client.get('/api/auth/me')).body.permissions

  it('is used in its place until the tenant deletes it, and its users get that of the application', async () => {
    const anna = await signIn('anna')
    assert.deepEqual(await permissionsOf(anna), ['product:read'])
    const sources = async () => {
      const { body } = await tenant.admin.get('/api/roles')
      return body.flatMap(({ name, source }: Record<string, string>) =>
        /^agent$/i.test(name ?? '') ? [`${name} ${source}`] : [],
      )
    }
    assert.deepEqual(await sources(), ['agent tenant'])
    assert.equal((await tenant.admin.put('/api/roles/Agent', { description: 'Own' })).status, 200)
    const deleter = await signIn('deleter')
    const refused = await deleter.delete('/api/roles/agent')
    assert.deepEqual(
      [refused.status, refused.body.message],
      [403, 'You cannot grant what you do not have: order:read, order:write.'],
    )
    assert.equal((await tenant.admin.delete('/api/roles/agent')).status, 204)
    assert.deepEqual(await sources(), ['Agent application'])
    await eventually(
      'the role of the application',
      soonMs,
      async () => (await permissionsOf(anna)).join() === 'order:read,order:write,product:read',
    )
  })
})

describe('A declared role', () => {
  it('gives way to DEFAULT_ROLE', async () => {
    const options: ServiceOptions = { roles, defaultRoles: { invitation: 'Customer' } }
    const service = await startService('sqlite', { DEFAULT_ROLE: 'User' }, options)
    const { body } = await service.host.get('/api/tenant/settings')
    await service.stop()
    assert.equal(body.defaultRole, 'User')
  })

  const faulty: [what: string, options: object, reason: RegExp][] = [
    [
      'with an unknown permission',
      { roles: { Agent: ['order:reed'] } },
      /roles\.Agent: no feature declares the permission order:reed; did you mean order:read/,
    ],
    ['that is built in', { roles: { admin: [] } }, /roles\.admin: the role is built in/],
    ['of no possible name', { roles: { 'A b': [] } }, /roles\.A b: a name has/],
    ['twice', { roles: { Agent: [], agent: [] } }, /roles\.agent: another role/],
    [
      'that is a default and does not exist',
      { roles, defaultRoles: { invitation: 'Custmer' } },
      /defaultRoles\.invitation: the application has no role Custmer; did you mean Customer/,
    ],
    [
      'that is a default of an unknown way',
      { defaultRoles: { signup: 'User' } },
      /defaultRoles: there is no signup/,
    ],
    [
      'Admin by default',
      { defaultRoles: { singleSignOn: 'Admin' } },
      /defaultRoles\.singleSignOn: must be another role than Admin/,
    ],
  ]
  for (const [what, options, reason] of faulty)
    it(`${what} ends the start`, () => assert.rejects(startService('sqlite', {}, options), reason))
})
