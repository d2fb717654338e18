/** One of everything with which people and programs sign in to a tenant, made over the API. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import type { IdentityService } from '../identity/identity-service.ts'
import { appUrl, baseUrl } from '../identity/identity-service.ts'
import { type FactorUser, mfaToken, newFactorUser } from '../support/authenticator-app.ts'
import type { Answer, Client } from '../support/client.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { fromAnyAddress } from '../support/http/forwarded.ts'
import { mailedToken } from '../support/mailed-token.ts'
import { password, person, type TestTenant, uniqueName } from '../support/service.ts'
import { SoftwareAuthenticator } from '../support/software-authenticator.ts'

/** Of the code with which an application signs in. */
export const codeVerifier = 'v'.repeat(43)

export interface Identities {
  tenantId: string
  admin: Client
  /** A user with an authenticator app, recovery codes and a passkey. */
  user: FactorUser
  session: string
  refreshToken: string
  passkey: string
  device: SoftwareAuthenticator
  /** A user without a second factor. */
  plain: { id: string; userName: string; client: Client }
  role: string
  apiKey: { id: string; key: string }
  domain: string
  invitation: string
  portal: string
  mail: string
  /** What was mailed, or answered to the password. */
  tokens: { invitation: string; reset: string; verification: string; mfa: string; code: string }
}

export async function newIdentities(service: IdentityService, tenant: TestTenant): Promise<Identities> {
  const { id: tenantId, admin } = tenant
  const user = await newFactorUser(service, service.clock, tenantId)
  const device = new SoftwareAuthenticator(baseUrl)
  const options = made(await user.client.post('/api/auth/passkeys/creation-options'))
  const response = device.create(options.body)
  const passkey = made(await user.client.post('/api/auth/passkeys', { name: 'Laptop', response }))
  const plain = made(await admin.post('/api/users', person(uniqueName('bob')))).body
  const signedIn = await service.signIn(plain.userName, tenantId)
  const sessions = await user.client.get('/api/auth/sessions')
  const role = made(await admin.post('/api/roles', { name: uniqueName('Role'), permissions: [] }))
  const apiKey = made(await admin.post('/api/api-keys', { name: 'Key', permissions: ['user:read'] }))
  const domain = made(await admin.post('/api/tenant/sso/domains', { domain: `${uniqueName('d')}.example` }))
  const origins = ['https://shop.example']
  const portal = made(await admin.post('/api/webhooks/portal-sessions', { customer: 'Shop', origins }))
  const guest = `${uniqueName('guest')}@example.com`
  const invitation = made(await admin.post('/api/invitations', { email: guest }))
  await admin.post(`/api/users/${plain.id}/password-reset`)
  const address = `${uniqueName('new')}@example.com`
  await user.client.put('/api/users/me/email', { email: address })
  return {
    tenantId,
    admin,
    user,
    device,
    passkey: passkey.body.id,
    session: sessions.body[0].id,
    refreshToken: signedIn.refreshToken,
    plain: { ...plain, client: signedIn.client },
    role: role.body.name,
    apiKey: apiKey.body,
    domain: domain.body.domain,
    portal: portal.body.id,
    invitation: invitation.body.id,
    tokens: {
      invitation: await tokenTo(service, guest),
      reset: await tokenTo(service, plain.email),
      verification: await tokenTo(service, address),
      mfa: await mfaToken(service, user),
      code: await codeFor(service, { userName: plain.userName, tenantId }),
    },
    mail: (await admin.get('/api/mails')).body[0].id,
  }
}

/** A mail changes its row when it is sent. */
export async function mailsAreSent({ admin }: Identities): Promise<void> {
  await eventually('all mails', soonMs, async () => {
    const { body } = await admin.get('/api/mails?limit=200')
    return body.every(({ status }: { status: string }) => status !== 'PENDING')
  })
}

function made(answer: Answer): Answer {
  assert.equal(answer.status, 201, answer.text)
  return answer
}

/** @returns the code that the page to sign in hands to an application */
async function codeFor(
  { anonymous }: IdentityService,
  { userName, tenantId }: { userName: string; tenantId: string },
): Promise<string> {
  const codeChallenge = hash('sha256', codeVerifier, 'base64url')
  const query = new URLSearchParams({ tenant: tenantId, returnTo: `${appUrl}/home`, codeChallenge })
  const form = new URLSearchParams({ userName, password })
  const answer = await postForm(anonymous.with(fromAnyAddress()), `/account/sign-in?${query}`, form)
  return new URL(answer.headers.get('location') ?? '').searchParams.get('sign_in_code') ?? ''
}

/** As the page itself sends it. */
export function postForm(caller: Client, path: string, fields: URLSearchParams): Promise<Answer> {
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'sec-fetch-site': 'same-origin',
  }
  return caller.send('POST', path, fields.toString(), headers)
}

async function tokenTo({ mails }: IdentityService, address: string): Promise<string> {
  const texts = () => mails.list().filter(({ to }) => to === address)
  const tokens = () => texts().map(({ text }) => mailedToken(text))
  await eventually(`a mail to ${address}`, soonMs, async () => tokens().some((token) => token !== ''))
  return tokens().find((token) => token !== '') ?? ''
}
