/** Invitations of colleagues. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { CollectedMails } from '../../../src/testing/collected-mails.ts'
import type { Client } from '../../support/client.ts'
import type { TestClock } from '../../support/clock.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { fromAnyAddress } from '../../support/http/forwarded.ts'
import { mailedToken } from '../../support/mailed-token.ts'
import { person, startService, type TestTenant, uniqueName } from '../../support/service.ts'
import { type IdentityService, rivals, sharedIdentityService } from '../identity-service.ts'

const path = '/api/invitations'

onEitherDatabase('An invitation', (database) => {
  let service: IdentityService
  let clock: TestClock
  let mails: CollectedMails
  let tenant: TestTenant
  before(async () => {
    service = await sharedIdentityService(database)
    clock = service.clock
    mails = service.mails
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  const newAddress = (): string => `${uniqueName('guest')}@example.com`

  /** @returns the token of the mail, which leads to a page of the service */
  const tokenFor = async (email: string): Promise<string> => {
    const sent = () => mails.list().filter(({ to }) => to === email)
    await eventually('the mail', soonMs, async () => sent().length > 0)
    return mailedToken(sent().at(-1)?.text)
  }

  const invite = async (email: string, roles?: string[], by: Client = tenant.admin) => {
    const made = await by.post(path, { email, ...(roles && { roles }) })
    assert.equal(made.status, 201, made.text)
    return { ...made.body, token: await tokenFor(email) }
  }

  const accept = (token: string, members: object = {}, tenantId = tenant.id) => {
    const { email: _email, ...input } = person(uniqueName('new'), { ...members })
    return service.anonymous.post(
      `${path}/accept`,
      { ...input, token },
      { ...fromAnyAddress(), 'x-tenant-id': tenantId },
    )
  }

  it('makes a user with the invited address and roles, who signs in', async () => {
    await tenant.admin.post('/api/roles', { name: 'Clerk', permissions: ['order:read'] })
    const email = newAddress()
    const { id, token, ...rest } = await invite(email, ['Clerk', 'User'])
    assert.deepEqual([rest.email, rest.roles, rest.invitedBy], [email, ['Clerk', 'User'], 'boss'])
    assert.ok((await tenant.admin.get(path)).body.some((each: { id: string }) => each.id === id))
    const { text } = await tenant.admin.get(path)
    assert.ok(!text.includes(token))
    const userName = uniqueName('ada')
    const user = await accept(token, { userName })
    assert.equal(user.status, 201, user.text)
    assert.deepEqual([user.body.email, user.body.roles], [email, ['Clerk', 'User']])
    await service.signIn(userName, tenant.id)
    assert.ok(!(await tenant.admin.get(path)).text.includes(id))
    const { body } = await tenant.admin.get(`/api/audit?subjectId=${id}`)
    const actions = body.map(({ action }: { action: string }) => action)
    assert.deepEqual(actions.toSorted(), ['invitation.accepted', 'invitation.created'])
  })

  it('is found, sorted, counted and chosen from while it can be accepted, in REST and GraphQL', async () => {
    const { admin, user, id: tenantId } = await service.newTenant()
    const invited = async (email: string, roles?: string[]) =>
      (await admin.post(path, { email, ...(roles && { roles }) })).body
    const first = await invited('b@first.example', ['User', 'Admin'])
    clock.advance({ minutes: 1 })
    const second = await invited('a@second.example')
    const list = (query: string) => admin.get(`${path}?${query}`)
    assert.deepEqual((await list('')).body, [first, second])
    assert.deepEqual((await list('sort=email')).body, [second, first])
    assert.deepEqual((await list('sort=-expiresAt&limit=1')).body, [second])
    assert.deepEqual((await list('email[iendsWith]=@FIRST.example&invitedBy=boss')).body, [first])
    assert.deepEqual((await list(`createdAt[gt]=${first.createdAt}`)).body, [second])
    const counted = await list('count=true&fields=roles,email')
    assert.deepEqual(counted.body[0], { email: first.email, roles: ['User', 'Admin'] })
    assert.equal(counted.headers.get('x-total-count'), '2')
    assert.deepEqual((await admin.get(`${path}/${first.id}`)).body, first)
    assertError(await user.get(`${path}/${first.id}`), 403, 'This requires the permission invitation:read.')
    const document = `{
      invitations { totalCount nodes { email roles attributes invitedBy } }
      invitation(id: "${first.id}") { expiresAt }
    }`
    const ofSecond = { email: second.email, roles: ['User'], attributes: {}, invitedBy: 'boss' }
    const ask = async (by: Client) => (await by.post('/graphql', { query: document })).body
    assert.deepEqual((await ask(admin)).data, {
      invitations: {
        totalCount: 2,
        nodes: [{ ...ofSecond, email: first.email, roles: first.roles }, ofSecond],
      },
      invitation: { expiresAt: first.expiresAt },
    })
    assert.equal((await ask(user)).errors[0].message, 'This requires the permission invitation:read.')
    clock.advance({ days: 7, minutes: -1 })
    const { client } = await service.signIn('boss', tenantId)
    assert.deepEqual((await client.get(path)).body, [second])
    assertError(await client.get(`${path}/${first.id}`), 404, 'There is no such invitation.')
    assert.deepEqual((await ask(client)).data, {
      invitations: { totalCount: 1, nodes: [ofSecond] },
      invitation: null,
    })
    clock.advance({ days: -7 })
  })

  it('is accepted once, also by many at once', async () => {
    const { token } = await invite(newAddress())
    const answers = await Promise.all(Array.from({ length: rivals }, () => accept(token)))
    assert.equal(answers.filter(({ status }) => status === 201).length, 1)
    for (const answer of answers.filter(({ status }) => status !== 201)) assertError(answer, 400, /^token/)
  })

  it('is not accepted when it was withdrawn, replaced, expired, mistyped, or in another tenant', async () => {
    const withdrawn = await invite(newAddress())
    assert.equal((await tenant.admin.delete(`${path}/${withdrawn.id}`)).status, 204)
    assertError(await tenant.admin.delete(`${path}/${withdrawn.id}`), 404)
    assertError(await accept(withdrawn.token), 400, /^token/)
    const email = newAddress()
    const replaced = await invite(email)
    await tenant.admin.post(path, { email })
    const again = () => mails.list().filter(({ to }) => to === email).length === 2
    await eventually('the second mail', soonMs, async () => again())
    assertError(await accept(replaced.token), 400, /^token/)
    const token = await tokenFor(email)
    const other = await service.newTenant()
    assertError(await accept(token, {}, other.id), 400, /^token/)
    assertError(await accept(`${token}x`), 400, /^token/)
    clock.advance({ days: 7 })
    assertError(await accept(token), 400, /^token/)
    clock.advance({ days: -7 })
    assert.equal((await accept(token)).status, 201)
  })

  it('survives a taken user name', async () => {
    const { token } = await invite(newAddress())
    assertError(await accept(token, { userName: 'boss' }), 400, /^userName/)
    assertError(await accept(token, { password: 'weak' }), 400, /^password/)
    assert.equal((await accept(token)).status, 201)
  })

  it('is refused for the address of a user, for an API key, and for roles that one may not grant', async () => {
    const { body: user } = await tenant.admin.post('/api/users', person(uniqueName('ada')))
    assertError(await tenant.admin.post(path, { email: user.email.toUpperCase() }), 400, /^email/)
    assertError(await tenant.user.post(path, { email: newAddress() }), 403, /invitation:write/)
    const permissions = ['invitation:write', 'invitation:read']
    const key = await tenant.admin.post('/api/api-keys', { name: 'Key', permissions })
    const byKey = service.anonymous.withToken(key.body.key)
    assertError(await byKey.post(path, { email: newAddress() }), 403, /signed-in user/)
    await tenant.admin.post('/api/roles', { name: 'Inviter', permissions })
    const userName = uniqueName('inviter')
    await tenant.admin.post('/api/users', person(userName, { roles: ['Inviter'] }))
    const inviter = (await service.signIn(userName, tenant.id)).client
    assertError(await inviter.post(path, { email: newAddress(), roles: ['Admin'] }), 403, /grant/)
    await invite(newAddress(), ['Inviter'], inviter)
  })

  it('without roles gives the default role of the tenant, which whoever sets it has to be able to grant', async () => {
    const own = await service.newTenant()
    const settings = '/api/tenant/settings'
    const rolesOfNext = async () => {
      const email = newAddress()
      const { roles, token } = await invite(email, undefined, own.admin)
      assert.deepEqual((await accept(token, {}, own.id)).body.roles, roles)
      return roles
    }
    assert.equal((await own.admin.get(settings)).body.defaultRole, 'User')
    assert.deepEqual(await rolesOfNext(), ['User'])
    assertError(
      await own.admin.put(settings, { defaultRole: 'Guest' }),
      400,
      /^defaultRole: names no role: Guest/,
    )
    assertError(
      await own.admin.put(settings, { defaultRole: 'admin' }),
      400,
      /^defaultRole: must be another role/,
    )
    await own.admin.post('/api/roles', { name: 'Guest', permissions: ['product:read'] })
    assert.equal((await own.admin.put(settings, { defaultRole: 'guest' })).status, 200)
    assert.deepEqual(await rolesOfNext(), ['Guest'])
    const permissions = ['setting:read', 'setting:write']
    await own.admin.post('/api/roles', { name: 'Keeper', permissions })
    const userName = uniqueName('keeper')
    await own.admin.post('/api/users', person(userName, { roles: ['Keeper'] }))
    const keeper = (await service.signIn(userName, own.id)).client
    assertError(await keeper.put(settings, { defaultRole: 'User' }), 403, /cannot grant what you do not have/)
    // The default of the installation is the role User.
    assertError(await keeper.put(settings, { defaultRole: null }), 403, /cannot grant what you do not have/)
    assert.equal((await keeper.put(settings, { defaultRole: 'Keeper' })).status, 200)
    await own.admin.put(settings, { defaultRole: 'Guest' })
    await own.admin.post('/api/roles', { name: 'Passing', permissions: [] })
    await own.admin.put(settings, { defaultRole: 'Passing' })
    assert.equal((await own.admin.delete('/api/roles/Passing')).status, 204)
    const refused = await own.admin.post(path, { email: newAddress() })
    assertError(refused, 400, /^defaultRole: names no role: Passing/)
    assert.equal((await own.admin.put(settings, { defaultRole: null })).body.defaultRole, 'User')
  })

  it('without roles gives the default role that a tenant with its own database sets by GraphQL', async () => {
    const { admin } = await service.newTenant({ connectionString: `sqlite:${uniqueName('own')}.db` })
    await admin.post('/api/roles', { name: 'Guest', permissions: [] })
    const set = async (defaultRole: string | null) => {
      const query = `mutation ($input: TenantSettingsInput!) { updateTenantSettings(input: $input) { defaultRole } }`
      return (await admin.post('/graphql', { query, variables: { input: { defaultRole } } })).body
    }
    assert.equal((await set('guest')).data?.updateTenantSettings.defaultRole, 'guest')
    assert.match((await set('Missing')).errors[0].message, /^defaultRole: names no role/)
    assert.equal((await set(null)).data?.updateTenantSettings.defaultRole, 'User')
  })

  it('without roles gives that of the installation, where the tenant has set none', async () => {
    const collected = new CollectedMails()
    const other = await startService(database, { DEFAULT_ROLE: 'Guest' }, { mailTransport: collected })
    try {
      const { admin } = await other.newTenant()
      assert.equal((await admin.get('/api/tenant/settings')).body.defaultRole, 'Guest')
      assertError(await admin.post(path, { email: newAddress() }), 400, /^defaultRole: names no role: Guest/)
      assert.equal((await admin.put('/api/tenant/settings', { defaultRole: null })).status, 200)
      await admin.post('/api/roles', { name: 'Guest', permissions: [] })
      assert.deepEqual((await admin.post(path, { email: newAddress() })).body.roles, ['Guest'])
    } finally {
      await other.stop()
    }
  })

  it('ends with a role of it, and with the rights of whoever invited', async () => {
    await tenant.admin.post('/api/roles', { name: 'Passing', permissions: [] })
    const passing = await invite(newAddress(), ['Passing'])
    await tenant.admin.delete('/api/roles/Passing')
    assertError(await accept(passing.token), 400, /^token/)
    const userName = uniqueName('admin')
    const { body: admin } = await tenant.admin.post('/api/users', person(userName, { roles: ['Admin'] }))
    const inviter = (await service.signIn(userName, tenant.id)).client
    const first = await invite(newAddress(), ['Admin'], inviter)
    const second = await invite(newAddress(), ['Admin'], inviter)
    await tenant.admin.put(`/api/users/${admin.id}`, { roles: ['User'] })
    assertError(await accept(first.token), 400, /^token/)
    await tenant.admin.delete(`/api/users/${admin.id}`)
    assertError(await accept(second.token), 400, /^token/)
    const { body } = await tenant.admin.get('/api/audit?action=invitation.refused')
    assert.equal(body.length, 3)
  })

  it('is withdrawn and replaced only by those who may grant its roles', async () => {
    const inviterName = uniqueName('inviter')
    const permissions = ['invitation:read', 'invitation:write']
    await tenant.admin.post('/api/roles', { name: 'Inviting', permissions })
    await tenant.admin.post('/api/users', person(inviterName, { roles: ['Inviting'] }))
    const inviter = (await service.signIn(inviterName, tenant.id)).client
    const email = newAddress()
    const { id, token } = await invite(email, ['Admin'])
    const text = 'The invitation gives what you do not have: Admin.'
    assertError(await inviter.delete(`${path}/${id}`), 403, text)
    assertError(await inviter.post(path, { email: email.toUpperCase(), roles: ['Inviting'] }), 403, text)
    assert.deepEqual((await accept(token)).body.roles, ['Admin'])
    const own = await invite(newAddress(), ['Inviting'], inviter)
    assert.equal((await inviter.delete(`${path}/${own.id}`)).status, 204)
  })

  it('causes few mails to one address', async () => {
    const email = newAddress()
    const statuses: number[] = []
    for (let count = 0; count < 7; count++) statuses.push((await tenant.admin.post(path, { email })).status)
    assert.deepEqual(statuses, [201, 201, 201, 201, 201, 429, 429])
  })
})
