/** Whoever acts as a user changes no credential, no right and no other session. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Route } from '../../../src/core/feature/route.ts'
import type { Client } from '../../support/client.ts'
import { person, startService, type TestService, type TestTenant, uniqueName } from '../../support/service.ts'

const features =
  /^(user|role|api-key|session|second-factor|impersonation|initialization|sso|single-sign-on|mfa|factor|passkey|invitation|recovery|hand-over|email-address|sign-up|portal|account.*)$/

/** Routes of these features that may be called, with the reason. */
const allowed: Record<string, string> = {
  'POST /api/auth/login': 'it ignores tokens',
  'POST /api/auth/refresh': 'it ignores tokens',
  'POST /api/init/first-admin': 'it ignores tokens',
  'POST /api/auth/logout': 'it ends the impersonation itself',
  'POST /api/auth/token': 'it ignores tokens',
  'POST /api/auth/sso/sign-out': 'it ends the impersonation itself',
  'POST /api/auth/sso/:tenant/backchannel-logout': 'it ignores tokens',
  'POST /api/invitations/accept': 'it ignores tokens',
  'POST /account/accept-invitation': 'it ignores tokens',
  'POST /account/sign-up': 'it ignores tokens',
  'POST /account/verify': 'it ignores tokens',
  'POST /account/verify-sign-up': 'it ignores tokens',
  'POST /api/auth/sign-up': 'it ignores tokens',
  'POST /api/auth/sign-up/verify': 'it ignores tokens',
  'POST /api/auth/verify-email': 'it ignores tokens',
  'POST /account/forgot-password': 'it ignores tokens',
  'POST /account/reset-password': 'it ignores tokens',
  'POST /account/sign-in': 'it ignores tokens',
  'POST /api/auth/forgot-password': 'it ignores tokens',
  'POST /api/auth/reset-password': 'it ignores tokens',
  'POST /api/auth/passkeys/request-options': 'it ignores tokens',
  'POST /api/auth/passkeys/sign-in': 'it ignores tokens',
  'POST /api/auth/mfa/verify': 'it ignores tokens',
  'POST /api/auth/mfa/enroll': 'it ignores tokens',
  'POST /api/auth/mfa/enroll/confirm': 'it ignores tokens',
}

const id = '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'

const refused: Record<string, unknown> = {
  'POST /api/users': person('another'),
  'PUT /api/users/:id': { lastName: 'Other' },
  'DELETE /api/users/:id': undefined,
  'PUT /api/users/me/password': { currentPassword: 'Admin@123', newPassword: 'Other@456' },
  'DELETE /api/users/:id/sessions': undefined,
  'DELETE /api/users/:id/sessions/:sessionId': undefined,
  'POST /api/users/:id/impersonate': { reason: 'Again' },
  'POST /api/roles': { name: uniqueName('Role'), permissions: [] },
  'PUT /api/roles/:name': { permissions: [] },
  'DELETE /api/roles/:name': undefined,
  'POST /api/api-keys': { name: 'Key', permissions: [] },
  'DELETE /api/api-keys/:id': undefined,
  'POST /api/auth/step-up': { password: 'Admin@123' },
  'POST /api/auth/mfa/totp': undefined,
  'POST /api/auth/mfa/totp/confirm': { code: '123456' },
  'DELETE /api/auth/mfa/totp': undefined,
  'POST /api/auth/mfa/recovery-codes': undefined,
  'DELETE /api/users/:id/mfa': undefined,
  'POST /api/users/:id/password-reset': undefined,
  'POST /api/auth/passkeys/creation-options': undefined,
  'POST /api/auth/passkeys': {
    name: 'Key',
    response: {
      id: 'AAAA',
      rawId: 'AAAA',
      type: 'public-key',
      response: { clientDataJSON: 'eyJjaGFsbGVuZ2UiOiJBQUFBIn0', attestationObject: 'AAAA' },
    },
  },
  'PUT /api/auth/passkeys/:id': { name: 'Key' },
  'DELETE /api/auth/passkeys/:id': undefined,
  'DELETE /api/auth/sessions': undefined,
  'DELETE /api/auth/sessions/:id': undefined,
  'POST /api/webhooks/portal-sessions': { origins: ['https://shop.example'] },
  'DELETE /api/webhooks/portal-sessions/:id': undefined,
  'POST /api/invitations': { email: 'another@example.com' },
  'DELETE /api/invitations/:id': undefined,
  'POST /api/sign-ups/:id/approve': undefined,
  'POST /api/sign-ups/:id/reject': {},
  'PUT /api/users/me/email': { email: 'another@example.com' },
  'PUT /api/tenant/sso': { issuer: 'https://login.example.com', clientId: 'c', clientSecret: 's' },
  'DELETE /api/tenant/sso': undefined,
  'POST /api/tenant/sso/domains': { domain: 'acme.example' },
  'POST /api/tenant/sso/domains/:domain/verify': undefined,
  'DELETE /api/tenant/sso/domains/:domain': undefined,
}

describe('While an administrator of the host acts as a user', () => {
  let service: TestService
  let tenant: TestTenant
  let acting: Client
  let userId: string
  before(async () => {
    service = await startService('sqlite')
    tenant = await service.newTenant()
    userId = (await tenant.admin.get('/api/auth/me')).body.id
    const { body } = await service.host.post(`/api/users/${userId}/impersonate`, { reason: 'Ticket 4711' })
    acting = service.anonymous.withToken(body.accessToken)
  })
  after(() => service.stop())

  it('every route that changes credentials is known here', () => {
    const routes = service.service.features
      .filter(({ name }) => features.test(name))
      .flatMap((feature): Route[] => [...(feature.routes ?? [])])
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path }) => `${method} ${path}`)
    assert.deepEqual(routes.toSorted(), [...Object.keys(allowed), ...Object.keys(refused)].toSorted())
  })

  for (const [name, body] of Object.entries(refused)) {
    it(`${name} is refused`, async () => {
      const [method = '', pattern = ''] = name.split(' ')
      const path = pattern
        .replace('/users/:id', `/users/${userId}`)
        .replace(/:(id|sessionId)/, id)
        .replace(':name', 'Clerk')
      const { status, text } = await acting.send(method, path, body)
      assert.equal(status, 403, text)
      if (!name.endsWith('/impersonate')) assert.match(text, /while you act as another user/) // the host alone may
    })
  }

  it('a refresh token of the user ends no session', async () => {
    const { client, refreshToken } = await service.signIn('worker', tenant.id)
    const worker = (await client.get('/api/auth/me')).body
    const { body } = await service.host.post(`/api/users/${worker.id}/impersonate`, { reason: 'Ticket 4711' })
    const answer = await service.anonymous
      .withToken(body.accessToken)
      .post('/api/auth/logout', { refreshToken })
    assert.equal(answer.status, 200)
    assert.equal((await service.anonymous.post('/api/auth/refresh', { refreshToken })).status, 200)
  })

  it('other requests work as those of the user', async () => {
    assert.equal((await acting.post('/api/categories', { name: uniqueName('Acted') })).status, 201)
  })
})
