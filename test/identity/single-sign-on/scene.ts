/** A tenant whose users sign in at a real provider: what tests of what the provider says of them share. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import type { ServiceOptions } from '../../../src/service/service-options.ts'
import { CollectedMails } from '../../../src/testing/collected-mails.ts'
import { TestClock } from '../../support/clock.ts'
import type { DatabaseName } from '../../support/databases.ts'
import { fromAnyAddress } from '../../support/http/forwarded.ts'
import {
  clientId,
  clientSecret,
  type IdentityProvider,
  startIdentityProvider,
} from '../../support/identity-provider.ts'
import { startNameServer } from '../../support/name-server.ts'
import { startService, type TestService, type TestTenant } from '../../support/service.ts'
import { Browser } from './browser.ts'

const baseUrl = 'http://app.localhost'
const returnTo = `${baseUrl}/account/sso`
const codeVerifier = randomBytes(32).toString('base64url')
const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')

export interface ProvenTenant extends TestTenant {
  domain: string
}

export interface SignInScene {
  service: TestService
  provider: IdentityProvider
  mails: CollectedMails
  clock: TestClock
  /** With the provider, and a domain of its own. */
  newTenant(members?: object): Promise<ProvenTenant>
  /** The same for a tenant that is there. */
  prove(tenant: TestTenant, members?: object): Promise<ProvenTenant>
  configure(tenant: TestTenant, members: object): Promise<void>
  /** Begins a sign-in that nobody goes on with. @returns its state */
  begin(tenant: TestTenant): Promise<string>
  /** Signs in at the provider. @returns where the provider sends the browser, which does not go there */
  comeBack(tenant: ProvenTenant, subject: string): Promise<URL>
  /** @returns where the browser returns to */
  visit(tenant: TestTenant, subject: string, claims: Record<string, unknown>): Promise<URL>
  // biome-ignore lint/suspicious/noExplicitAny: like the body of an answer
  signIn(tenant: TestTenant, subject: string, claims: Record<string, unknown>): Promise<any>
  /** The reasons of the latest records, newest first. */
  reasons(tenant: TestTenant, action: string): Promise<string[]>
  stop(): Promise<void>
}

export async function startScene(
  database: DatabaseName,
  idTokenClaims: readonly string[] = ['groups'],
  declared: Pick<ServiceOptions, 'attributes' | 'roles' | 'defaultRoles' | 'features'> = {},
): Promise<SignInScene> {
  const [clock, mails, records] = [new TestClock(), new CollectedMails(), new Map<string, string[]>()]
  const names = await startNameServer(({ name }) => records.get(name) ?? 'missing')
  const receivers = { nameServers: [names.address] }
  const options = { clock: clock.now, mailTransport: mails, receivers, ...declared }
  const service = await startService(database, { BASE_URL: baseUrl }, options)
  const provider = await startIdentityProvider(baseUrl, { idTokenClaims })
  const scene: SignInScene = {
    service,
    provider,
    mails,
    clock,
    newTenant: async (members = {}) => scene.prove(await service.newTenant(), members),
    prove: async (tenant, members = {}) => {
      const domain = `${tenant.id}.example`
      const added = await tenant.admin.post('/api/tenant/sso/domains', { domain })
      records.set(added.body.recordName, [added.body.recordValue])
      await tenant.admin.post(`/api/tenant/sso/domains/${domain}/verify`)
      await scene.configure(tenant, members)
      return { ...tenant, domain }
    },
    configure: async ({ admin }, members) => {
      const input = { issuer: provider.issuer, clientId, clientSecret, ...members }
      const { status, text } = await admin.put('/api/tenant/sso', input)
      assert.equal(status, 200, text)
    },
    begin: async (tenant) => {
      const { pathname, search } = new URL(startOf(tenant))
      const answer = await service.anonymous.get(`${pathname}${search}`, fromAnyAddress())
      return new URL(answer.headers.get('location') ?? '').searchParams.get('state') ?? ''
    },
    comeBack: (tenant, subject) => {
      provider.users.set(subject, { email_verified: true, email: `${subject}@${tenant.domain}` })
      provider.next = subject
      const callback = `${baseUrl}/api/auth/sso/callback`
      return new Browser({ [baseUrl]: service.url }).follow(startOf(tenant), callback)
    },
    visit: (tenant, subject, claims) => {
      provider.users.set(subject, { email_verified: true, ...claims })
      provider.next = subject
      return new Browser({ [baseUrl]: service.url }).follow(startOf(tenant), returnTo)
    },
    signIn: async (tenant, subject, claims) => {
      const { searchParams } = await scene.visit(tenant, subject, claims)
      if (searchParams.has('sign_in_error'))
        assert.fail((await scene.reasons(tenant, 'sso.refused'))[0] ?? 'without a reason')
      const input = { code: searchParams.get('sign_in_code'), codeVerifier }
      const headers = { ...fromAnyAddress(), 'x-tenant-id': tenant.id }
      const answer = await service.anonymous.post('/api/auth/token', input, headers)
      assert.equal(answer.status, 200, answer.text)
      return answer.body
    },
    reasons: async ({ admin }, action) => {
      const { body } = await admin.get(`/api/audit?action=${action}`)
      return body.map(({ detail }: { detail: { reason: string } }) => detail.reason)
    },
    stop: async () => {
      await provider.close()
      await service.stop()
      names.close()
    },
  }
  return scene
}

function startOf({ id }: TestTenant): string {
  return `${baseUrl}/api/auth/sso/${id}/start?${new URLSearchParams({ returnTo, codeChallenge })}`
}
