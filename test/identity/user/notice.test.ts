/** Users are told by mail when somebody changes what they sign in with. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { CollectedMails } from '../../../src/testing/collected-mails.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { person, type TestTenant, uniqueName } from '../../support/service.ts'
import { type IdentityService, sharedIdentityService } from '../identity-service.ts'
import { storeUnmailableAddress } from '../unmailable-address.ts'

onEitherDatabase('A user is told', (database) => {
  let service: IdentityService
  let mails: CollectedMails
  let tenant: TestTenant
  before(async () => {
    service = await sharedIdentityService(database)
    mails = service.mails
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  const newUser = async () => (await tenant.admin.post('/api/users', person(uniqueName('ada')))).body

  const sentTo = async (email: string) => {
    await service.service.queueWorkers.drain()
    return mails.list().filter(({ to }) => to === email)
  }

  it('of a password that the user has changed', async () => {
    const user = await newUser()
    const { client } = await service.signIn(user.userName, tenant.id)
    const input = { currentPassword: 'Admin@123', newPassword: 'Orchid-Lantern-58' }
    assert.equal((await client.put('/api/users/me/password', input)).status, 200)
    const [mail, ...others] = await sentTo(user.email)
    assert.deepEqual([mail?.template, others.length], ['account.passwordChanged', 0])
    assert.match(mail?.text ?? '', /by somebody who knew the former one/)
    assert.ok(!mail?.text.includes('Orchid'))
  })

  it('of a password that an administrator has set, in the language of the tenant', async () => {
    const user = await newUser()
    await tenant.admin.put('/api/tenant/settings', { locale: 'fr', brandName: 'Café' })
    // An administrator of the host changes users of every tenant.
    assert.equal(
      (await service.host.put(`/api/users/${user.id}`, { password: 'Orchid-Lantern-58' })).status,
      200,
    )
    const [mail] = await sentTo(user.email)
    assert.deepEqual([mail?.template, mail?.tenantId], ['account.passwordChanged', tenant.id])
    assert.match(`${mail?.subject} ${mail?.text}`, /Café a été changé[\s\S]*par un administrateur/)
    await tenant.admin.put('/api/tenant/settings', { locale: 'en' })
  })

  it('of a new user name and a new address, at the former one', async () => {
    const user = await newUser()
    const userName = uniqueName('lovelace')
    const email = `${userName}@example.com`
    assert.equal((await tenant.admin.put(`/api/users/${user.id}`, { userName, email })).status, 200)
    const [mail, ...others] = await sentTo(user.email)
    assert.deepEqual([mail?.template, others.length], ['account.namesChanged', 0])
    assert.match(
      mail?.text ?? '',
      new RegExp(`${user.userName} → ${userName}[\\s\\S]*${user.email} → ${email}`),
    )
    assert.deepEqual(await sentTo(email), [])
  })

  it('of nothing else, and an address that no mail can be sent to is no obstacle', async () => {
    const user = await newUser()
    await tenant.admin.put(`/api/users/${user.id}`, { lastName: 'Byron', email: user.email })
    assert.deepEqual(await sentTo(user.email), [])
    const odd = await newUser()
    await storeUnmailableAddress(service, odd.id)
    assert.equal(
      (await tenant.admin.put(`/api/users/${odd.id}`, { password: 'Orchid-Lantern-58' })).status,
      200,
    )
  })
})
