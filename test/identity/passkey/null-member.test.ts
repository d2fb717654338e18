/** Answers of authenticators that leave members empty (WebAuthn Level 3, section 5.2). */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../../support/databases.ts'
import { fromAnyAddress } from '../../support/http/forwarded.ts'
import { SoftwareAuthenticator } from '../../support/software-authenticator.ts'
import { appUrl, type IdentityService, sharedIdentityService } from '../identity-service.ts'

const base = '/api/auth/passkeys'

onEitherDatabase('A passkey', (database) => {
  let service: IdentityService
  before(async () => {
    service = await sharedIdentityService(database)
  })
  after(() => service.stop())

  it('may come without transports, and without the id of the user', async () => {
    const { id, user } = await service.newTenant()
    const headers = { ...fromAnyAddress(), 'x-tenant-id': id }
    const device = new SoftwareAuthenticator(appUrl)
    const { body: options } = await user.post(`${base}/creation-options`)
    const { response: made, ...created } = device.create(options)
    const input = { name: 'Key', response: { ...created, response: { ...made, transports: null } } }
    const added = await user.post(base, input)
    assert.equal(added.status, 201, added.text)
    for (const userHandle of [null, '', undefined]) {
      const { body: request } = await service.anonymous.post(`${base}/request-options`, {}, headers)
      const { response: signed, ...key } = device.get(request)
      const body = { response: { ...key, response: { ...signed, userHandle } } }
      const answer = await service.anonymous.post(`${base}/sign-in`, body, headers)
      assert.equal(answer.status, 200, `${userHandle}: ${answer.text}`)
    }
  })
})
