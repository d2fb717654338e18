/** What a provider says of its users later on: groups, addresses and names. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { person, uniqueName } from '../../support/service.ts'
import { type ProvenTenant, type SignInScene, startScene } from './scene.ts'

onEitherDatabase('Groups of a provider', (database) => {
  let scene: SignInScene
  before(async () => {
    scene = await startScene(database, ['email', 'email_verified'])
  })
  after(() => scene.stop())

  const onlyAdministrator = async (members: object, claims: object) =>
    onlyAdministratorOf(scene, await scene.newTenant(members), claims)

  it('are read from the user information when the ID token has none', async () => {
    const groupRoles = { directors: ['Admin'] }
    const { tenant, subject, email } = await onlyAdministrator({ groupRoles }, { groups: ['directors'] })
    const { user } = await scene.signIn(tenant, subject, { email, groups: ['directors'] })
    assert.deepEqual(user.roles, ['Admin'])
    assert.deepEqual(await scene.reasons(tenant, 'sso.rolesKept'), [])
  })

  it('may be inside of another claim', async () => {
    const members = { groupRoles: { directors: ['Admin'] }, groupsClaim: 'realm_access.roles' }
    const claims = { realm_access: { roles: ['offline_access', 'directors'] } }
    const { tenant, subject, email } = await onlyAdministrator(members, claims)
    assert.deepEqual((await scene.signIn(tenant, subject, { email, ...claims })).user.roles, ['Admin'])
  })

  it('that are absent, or in a form that is not known, leave the roles and are told', async () => {
    const groupRoles = { directors: ['Admin'] }
    const { tenant, subject, email } = await onlyAdministrator({ groupRoles }, { groups: ['directors'] })
    for (const groups of [undefined, { name: 'directors' }, [{ name: 'directors' }]]) {
      const { user } = await scene.signIn(tenant, subject, { email, groups })
      assert.deepEqual(user.roles, ['Admin'])
    }
    const reasons = await scene.reasons(tenant, 'sso.rolesKept')
    assert.equal(reasons.length, 3)
    for (const reason of reasons) assert.match(reason, /has groups in the claim groups/)
  })

  it('never take the last active administrator from a tenant', async () => {
    const groupRoles = { directors: ['Admin'], staff: ['User'] }
    const { tenant, subject, email } = await onlyAdministrator({ groupRoles }, { groups: ['directors'] })
    for (const groups of [['staff'], []])
      assert.deepEqual((await scene.signIn(tenant, subject, { email, groups })).user.roles, ['Admin'])
    const reasons = await scene.reasons(tenant, 'sso.rolesKept')
    assert.equal(reasons.length, 2)
    for (const reason of reasons) assert.match(reason, /last active administrator/)
    scene.clock.advance({ minutes: 1 })
    await scene.configure(tenant, { groupRoles, defaultRoles: [] })
    assert.deepEqual((await scene.signIn(tenant, subject, { email, groups: [] })).user.roles, ['Admin'])
    const other = uniqueName('other')
    await scene.signIn(tenant, other, { email: `${other}@${tenant.domain}`, groups: ['directors'] })
    const { searchParams } = await scene.visit(tenant, subject, { email, groups: [] })
    assert.equal(searchParams.get('sign_in_error'), 'not_allowed')
    assert.deepEqual((await scene.signIn(tenant, subject, { email, groups: ['staff'] })).user.roles, ['User'])
  })

  it('never take the role Admin from the break-glass user', async () => {
    const groupRoles = { directors: ['Admin'], staff: ['User'] }
    const tenant = await scene.newTenant({ groupRoles })
    const subject = uniqueName('keeper')
    const email = `${subject}@${tenant.domain}`
    const { user } = await scene.signIn(tenant, subject, { email, groups: ['directors'] })
    const rolesOf = async (groups: string[]) =>
      (await scene.signIn(tenant, subject, { email, groups })).user.roles
    await scene.configure(tenant, { groupRoles, isRequired: true, breakGlassUserId: user.id })
    assert.deepEqual(await rolesOf(['staff']), ['Admin'])
    await scene.configure(tenant, { groupRoles })
    assert.deepEqual(await rolesOf(['staff']), ['User'])
  })
})

onEitherDatabase('Groups of a provider of the host', (database) => {
  let scene: SignInScene
  before(async () => {
    scene = await startScene(database)
  })
  after(() => scene.stop())

  it('never take the last active administrator from the host', async () => {
    const groupRoles = { directors: ['Admin'], staff: ['User'] }
    const { host } = scene.service
    const proven = await scene.prove({ id: 'default', admin: host, user: host }, { groupRoles })
    await scene.newTenant() // its administrator does not count
    const { tenant, subject, email, id } = await onlyAdministratorOf(scene, proven, { groups: ['directors'] })
    for (const groups of [['staff'], [], undefined]) {
      const { user } = await scene.signIn(tenant, subject, { email, groups })
      assert.deepEqual([user.id, user.roles], [id, ['Admin']])
    }
    const reasons = await scene.reasons(tenant, 'sso.rolesKept')
    assert.deepEqual(
      reasons.map((reason) => /last active administrator/.test(reason)),
      [false, true, true],
    )
    const other = uniqueName('other')
    const claims = { email: `${other}@${tenant.domain}`, groups: ['directors'] }
    assert.deepEqual((await scene.signIn(tenant, other, claims)).user.roles, ['Admin'])
    assert.deepEqual((await scene.signIn(tenant, subject, { email, groups: ['staff'] })).user.roles, ['User'])
  })
})

onEitherDatabase('Address and names of a provider', (database) => {
  let scene: SignInScene
  let tenant: ProvenTenant
  before(async () => {
    scene = await startScene(database)
    tenant = await scene.newTenant()
  })
  after(() => scene.stop())

  const mailedTo = (to: string, template: string) =>
    eventually(`${template} to ${to}`, soonMs, async () =>
      scene.mails.list().some((mail) => mail.to === to && mail.template === template),
    )

  it('replace those of the user, who is told at the former address, which another user may get', async () => {
    const [subject, successor] = [uniqueName('subject'), uniqueName('successor')]
    const former = `${subject}@${tenant.domain}`
    const email = `married.${former}`
    const names = { given_name: 'Ada', family_name: 'Byron' }
    // Entra ID gives the address as the name.
    const first = await scene.signIn(tenant, subject, { email: former, preferred_username: former, ...names })
    assert.equal(first.user.userName, former)
    const changed = { email, preferred_username: email, given_name: 'Ada', family_name: 'Lovelace' }
    const { user, accessToken } = await scene.signIn(tenant, subject, changed)
    assert.deepEqual(
      [user.id, user.email, user.userName, user.firstName, user.lastName],
      [first.user.id, email, email.slice(0, email.indexOf('@')), 'Ada', 'Lovelace'],
    )
    const me = (await scene.service.anonymous.withToken(accessToken).get('/api/auth/me')).body
    assert.equal(me.emailVerified, true)
    await mailedTo(former, 'account.namesChanged')
    const [record] = (await tenant.admin.get('/api/audit?action=user.emailChanged&limit=1')).body
    assert.deepEqual(record.detail, { from: former, to: email, by: scene.provider.issuer })
    const next = await scene.signIn(tenant, successor, { email: former })
    assert.notEqual(next.user.id, user.id)
  })

  it('stay when the new address is not verified, of a foreign domain, or of another user', async () => {
    const [subject, other] = [uniqueName('subject'), uniqueName('other')]
    const email = `${subject}@${tenant.domain}`
    const taken = `${other}@${tenant.domain}`
    const made = await tenant.admin.post('/api/users', person(other, { email: taken }))
    assert.equal(made.status, 201, made.text)
    await scene.signIn(tenant, subject, { email })
    for (const claims of [
      { email: `new.${email}`, email_verified: 'False' },
      { email: `${subject}@foreign.example` },
      { email: taken },
      {},
    ])
      assert.equal((await scene.signIn(tenant, subject, claims)).user.email, email)
  })

  it('obey the rules for users: names in any script, no half characters, addresses that mails can be sent to', async () => {
    const make = async (claims: object) => {
      const subject = uniqueName('s')
      return (await scene.signIn(tenant, subject, { email: `${subject}@${tenant.domain}`, ...claims })).user
    }
    const long = await make({ given_name: `${'a'.repeat(99)}😀`, family_name: '李' })
    assert.deepEqual([long.firstName, long.lastName], ['a'.repeat(99), '李'])
    assert.match((await make({ preferred_username: 'Жанна д’Арк' })).userName, /^s/)
    assert.equal((await make({ preferred_username: ' José  Núñez ' })).userName, 'Jose-Nunez')
    const international = `ÿ${uniqueName('x')}@${tenant.domain}`
    assert.equal((await make({ email: international })).email, international)
    for (const email of [`a"b@${tenant.domain}`, `a b@${tenant.domain}`]) {
      const url = await scene.visit(tenant, uniqueName('s'), { email })
      assert.equal(url.searchParams.get('sign_in_error'), 'not_allowed', email)
      assert.match((await scene.reasons(tenant, 'sso.refused'))[0] ?? '', /no mail can be sent to/)
    }
  })
})

/** Leaves a new administrator of the provider as the only one. */
async function onlyAdministratorOf(scene: SignInScene, tenant: ProvenTenant, claims: object) {
  const subject = uniqueName('subject')
  const email = `${subject}@${tenant.domain}`
  const { user, accessToken } = await scene.signIn(tenant, subject, { email, ...claims })
  assert.deepEqual(user.roles, ['Admin'])
  const client = scene.service.anonymous.withToken(accessToken)
  const { body: users } = await client.get(`/api/users?tenantId=${tenant.id}`)
  for (const { id } of users)
    if (id !== user.id) assert.equal((await client.put(`/api/users/${id}`, { isActive: false })).status, 200)
  return { tenant: { ...tenant, admin: client }, subject, email, id: String(user.id) }
}
