/** Addresses of users: verified, and changed by a mail to the new one. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { CollectedMails } from '../../../src/testing/collected-mails.ts'
import type { Client } from '../../support/client.ts'
import type { TestClock } from '../../support/clock.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { fromAnyAddress } from '../../support/http/forwarded.ts'
import { mailedToken } from '../../support/mailed-token.ts'
import { person, type TestTenant, uniqueName } from '../../support/service.ts'
import { type IdentityService, rivals, sharedIdentityService } from '../identity-service.ts'

interface Person {
  id: string
  userName: string
  email: string
  client: Client
}

onEitherDatabase('The address of a user', (database) => {
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

  const newAddress = (): string => `${uniqueName('new')}@example.com`

  const newUser = async (): Promise<Person> => {
    const { body } = await tenant.admin.post('/api/users', person(uniqueName('ada')))
    const { client } = await service.signIn(body.userName, tenant.id)
    return { ...body, client }
  }

  const me = async ({ client }: Person) => (await client.get('/api/auth/me')).body
  const change = ({ client }: Person, email: string) => client.put('/api/users/me/email', { email })
  const sentTo = (email: string, template: string) =>
    mails.list().filter((mail) => mail.to === email && mail.template === template)

  const mailTo = async (email: string, template = 'account.verifyEmail') => {
    await eventually(`the mail ${template}`, soonMs, async () => sentTo(email, template).length > 0)
    return sentTo(email, template).at(-1)
  }

  const tokenTo = async (email: string): Promise<string> => mailedToken((await mailTo(email))?.text)

  const verify = (token: string, tenantId = tenant.id) =>
    service.anonymous.post(
      '/api/auth/verify-email',
      { token },
      { ...fromAnyAddress(), 'x-tenant-id': tenantId },
    )

  const actionsOf = async ({ id }: Person): Promise<string[]> => {
    const { body } = await tenant.admin.get(`/api/audit?subjectId=${id}`)
    return body.map(({ action }: { action: string }) => action)
  }

  it('is sent no link or address in the user name of whoever asks', async () => {
    for (const [userName, shown] of [
      ['www.evil.com', 'www evil com'],
      ['see@evil.com', 'see evil com'],
    ] as const) {
      await tenant.admin.post('/api/users', person(userName, { email: newAddress() }))
      const user = { id: '', userName, email: '', client: (await service.signIn(userName, tenant.id)).client }
      const victim = newAddress()
      assert.equal((await change(user, victim)).status, 202)
      const { text = '', html = '' } = (await mailTo(victim)) ?? {}
      for (const content of [text, html]) {
        assert.ok(content.includes(`The user ${shown} wants`), content)
        assert.ok(!content.includes(userName), content)
      }
      await service.anonymous.post(
        '/api/auth/forgot-password',
        { userName },
        { ...fromAnyAddress(), 'x-tenant-id': tenant.id },
      )
      const { email } = await me(user)
      const reset = (await mailTo(email, 'account.resetPassword'))?.text ?? ''
      assert.ok(reset.includes(`password of ${shown}.`) && !reset.includes(userName), reset)
    }
  })

  it('is shown to whoever has it as a user name', async () => {
    const address = newAddress()
    await tenant.admin.post('/api/users', person(address, { email: address }))
    await service.anonymous.post(
      '/api/auth/forgot-password',
      { userName: address },
      { ...fromAnyAddress(), 'x-tenant-id': tenant.id },
    )
    assert.match(
      (await mailTo(address, 'account.resetPassword'))?.text ?? '',
      /password of new-\w+@example\.com\./,
    )
  })

  it('is verified by a mail to it, once, also by many at once', async () => {
    const user = await newUser()
    assert.equal((await me(user)).emailVerified, false)
    const asked = await change(user, user.email)
    assert.equal(asked.status, 202, asked.text)
    const token = await tokenTo(user.email)
    const answers = await Promise.all(Array.from({ length: rivals }, () => verify(token)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    for (const answer of answers.filter(({ status }) => status !== 200)) assertError(answer, 400, /^token/)
    const { emailVerified, email } = await me(user)
    assert.deepEqual([emailVerified, email], [true, user.email])
    assert.ok((await actionsOf(user)).includes('user.emailVerified'))
    assert.equal(sentTo(user.email, 'account.emailChangeRequested').length, 0)
    assert.ok(!('emailVerified' in (await tenant.admin.get(`/api/users/${user.id}`)).body))
  })

  it('changes when the mail to the new one was read, and ends no session', async () => {
    const user = await newUser()
    const email = newAddress()
    assert.equal((await change(user, email)).status, 202)
    const warned = await mailTo(user.email, 'account.emailChangeRequested')
    assert.match(warned?.text ?? '', new RegExp(email))
    assert.equal((await me(user)).email, user.email, 'not yet')
    assert.equal((await verify(await tokenTo(email))).status, 200)
    const changed = await me(user)
    assert.deepEqual([changed.email, changed.emailVerified], [email, true])
    await service.signIn(email, tenant.id)
    await assert.rejects(service.signIn(user.email, tenant.id), /401/)
    const told = await mailTo(user.email, 'account.namesChanged')
    assert.match(told?.text ?? '', new RegExp(`${user.email} → ${email}`))
    const actions = await actionsOf(user)
    assert.ok(['user.emailRequested', 'user.emailChanged'].every((action) => actions.includes(action)))
  })

  it('changes only for a user who has proven lately who they are', async () => {
    const user = await newUser()
    clock.advance({ minutes: 11 })
    const refused = await change(user, newAddress())
    assertError(refused, 403)
    assert.equal(refused.headers.get('x-step-up'), 'required')
    assert.equal((await change(user, user.email)).status, 202, 'verifying the present one needs no proof')
    clock.advance({ minutes: -11 })
  })

  it('is not said to be that of another user before somebody has read its mails', async () => {
    const [user, other] = [await newUser(), await newUser()]
    const answers = [await change(user, newAddress()), await change(user, other.email)]
    assert.equal(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1)
    assertError(await verify(await tokenTo(other.email)), 400, /^email: is taken by another user/)
    assert.equal((await me(user)).email, user.email)
  })

  it('has a link that ends with a newer one, another change, a new password, the tenant, and a day', async () => {
    const user = await newUser()
    const [first, second] = [newAddress(), newAddress()]
    await change(user, first)
    const older = await tokenTo(first)
    await change(user, second)
    const newer = await tokenTo(second)
    assertError(await verify(older), 400, /^token: is not valid/)
    const other = await service.newTenant()
    assertError(await verify(newer, other.id), 400, /^token/)
    assertError(await verify(`${newer}x`), 400, /^token/)
    clock.advance({ days: 1 })
    assertError(await verify(newer), 400, /^token/)
    clock.advance({ days: -1 })
    await tenant.admin.put(`/api/users/${user.id}`, { email: newAddress() })
    assertError(await verify(newer), 400, /^token/)
    const third = newAddress()
    await change(user, third)
    const last = await tokenTo(third)
    const changed = await user.client.put('/api/users/me/password', {
      currentPassword: 'Admin@123',
      newPassword: 'Orchid-Lantern-58',
    })
    assert.equal(changed.status, 200)
    assertError(await verify(last), 400, /^token/)
  })

  it('is verified by an invitation and by a reset, and not when an administrator has changed it', async () => {
    const email = newAddress()
    await tenant.admin.post('/api/invitations', { email })
    const invited = mailedToken((await mailTo(email, 'account.invitation'))?.text)
    const { email: _email, ...input } = person(uniqueName('guest'))
    const headers = { ...fromAnyAddress(), 'x-tenant-id': tenant.id }
    const { body } = await service.anonymous.post(
      '/api/invitations/accept',
      { ...input, token: invited },
      headers,
    )
    const guest = { ...body, client: (await service.signIn(body.userName, tenant.id)).client }
    assert.equal((await me(guest)).emailVerified, true)
    const same = await tenant.admin.put(`/api/users/${guest.id}`, { email, lastName: 'Other' })
    assert.equal(same.status, 200)
    assert.equal((await me(guest)).emailVerified, true)
    const moved = newAddress()
    await tenant.admin.put(`/api/users/${guest.id}`, { email: moved })
    assert.equal((await me(guest)).emailVerified, false)
    await service.anonymous.post(
      '/api/auth/forgot-password',
      { userName: guest.userName },
      { ...fromAnyAddress(), 'x-tenant-id': tenant.id },
    )
    const token = mailedToken((await mailTo(moved, 'account.resetPassword'))?.text)
    const done = await service.anonymous.post(
      '/api/auth/reset-password',
      { token, password: 'Forgotten@789' },
      { ...fromAnyAddress(), 'x-tenant-id': tenant.id },
    )
    assert.equal(done.status, 200, done.text)
    const { client } = await service.signIn(guest.userName, tenant.id, 'Forgotten@789')
    assert.equal((await me({ ...guest, client })).emailVerified, true)
  })

  it('gets few mails, and none that is no address; an API key has none', async () => {
    const user = await newUser()
    const email = newAddress()
    const statuses: number[] = []
    for (let count = 0; count < 6; count++) statuses.push((await change(user, email)).status)
    assert.deepEqual(statuses, [202, 202, 202, 202, 202, 429])
    assertError(await change(user, '"a b"@example.com'), 400, /^email/)
    const key = await tenant.admin.post('/api/api-keys', { name: 'Key', permissions: [] })
    const byKey = service.anonymous.withToken(key.body.key)
    assertError(await byKey.put('/api/users/me/email', { email }), 403, /signed-in user/)
  })
})
