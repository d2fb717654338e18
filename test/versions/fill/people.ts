/** Users with every factor that the version has, roles and API keys. */
import { codeOf, fromBase32, stepAt } from '../../../src/identity/second-factor/totp.ts'
import { clientId, clientSecret, startIdentityProvider } from '../../support/identity-provider.ts'
import { SoftwareAuthenticator } from '../../support/software-authenticator.ts'
import type { Expected, Person } from '../expected.ts'
import { type Caller, detailsOf, done, passwordOf, signIn, type Version } from './version.ts'

export interface People {
  admin: Caller
  worker: Caller
  all: Person[]
  apiKeys: Expected['apiKeys']
}

/** @param baseUrl the public address of the service, for passkeys */
export async function addPeople(version: Version, tenantId: string, baseUrl: string): Promise<People> {
  const as = (userName: string) =>
    signIn(version, { tenantId, userName, password: passwordOf(userName, tenantId) })
  const admin = await as('boss')
  const add = async (userName: string, members: object = {}): Promise<Caller> => {
    await done(admin.client.post('/api/users', { ...detailsOf(userName, tenantId), ...members }))
    return as(userName)
  }
  const worker = await add('worker', { phoneNumber: '+41 44 000 00 00' })
  const all = [admin.person, worker.person]
  if (version.has('POST /api/roles')) {
    const role = { name: 'Clerk', description: 'Täglich', permissions: ['user:read'] }
    await done(admin.client.post('/api/roles', role))
    all.push((await add('clerk', { roles: ['Clerk'] })).person)
  }
  if (version.has('POST /api/auth/mfa/totp')) all.push(await addApp(await add('careful')))
  if (version.has('POST /api/auth/passkeys')) all.push(await addPasskey(await add('modern'), baseUrl))
  if (version.has('POST /api/invitations'))
    await done(admin.client.post('/api/invitations', { email: `guest@${tenantId}.example` }))
  if (version.has('PUT /api/tenant/sso')) await addSingleSignOn(admin, baseUrl)
  const { id } = await done(admin.client.post('/api/users', detailsOf('former', tenantId)))
  await done(admin.client.delete(`/api/users/${id}`))
  return { admin, worker, all, apiKeys: await addApiKey(version, admin) }
}

async function addSingleSignOn({ client, person }: Caller, baseUrl: string): Promise<void> {
  const { issuer, close } = await startIdentityProvider(baseUrl)
  await done(client.put('/api/tenant/sso', { issuer, clientId, clientSecret }))
  await done(client.post('/api/tenant/sso/domains', { domain: `${person.tenantId}.example` }))
  await close()
}

async function addApp({ client, person }: Caller): Promise<Person> {
  const { secret } = await done(client.post('/api/auth/mfa/totp'))
  const code = codeOf(fromBase32(secret), stepAt(new Date()))
  const { recoveryCodes } = await done(client.post('/api/auth/mfa/totp/confirm', { code }))
  return { ...person, totpSecret: secret, recoveryCodes }
}

async function addPasskey({ client, person }: Caller, baseUrl: string): Promise<Person> {
  const device = new SoftwareAuthenticator(new URL(baseUrl).origin)
  const options = await done(client.post('/api/auth/passkeys/creation-options'))
  const { recoveryCodes } = await done(
    client.post('/api/auth/passkeys', { name: 'Laptop', response: device.create(options) }),
  )
  return { ...person, recoveryCodes, passkey: device.export() }
}

async function addApiKey(version: Version, { client, person }: Caller): Promise<Expected['apiKeys']> {
  if (!version.has('POST /api/api-keys')) return []
  const { key } = await done(client.post('/api/api-keys', { name: 'Import', permissions: ['user:read'] }))
  return [{ tenantId: person.tenantId, key, path: '/api/users' }]
}
