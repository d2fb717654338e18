/** Ids of others beside one’s own: of another tenant, and of another user of the same tenant. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type IdentityService, sharedIdentityService } from '../identity/identity-service.ts'
import { type FactorUser, mfaToken, newFactorUser } from '../support/authenticator-app.ts'
import type { Answer, Client } from '../support/client.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { comparable } from '../support/error.ts'
import { fromAnyAddress } from '../support/http/forwarded.ts'
import { person, uniqueName } from '../support/service.ts'
import { SoftwareAuthenticator } from '../support/software-authenticator.ts'
import { type Identities, mailsAreSent, newIdentities } from './identities.ts'
import { changedRows, type StoredRows, storedRows } from './stored-rows.ts'

const nobody = '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'
const madeUp = 'x'.repeat(43)

type Use = (id: string) => Promise<Answer>

onEitherDatabase('A request that names rows of others beside its own', (database) => {
  let service: IdentityService
  let victim: Identities
  let own: Identities
  /** A colleague of the victim’s users, with factors of their own. */
  let colleague: FactorUser
  let former: StoredRows
  before(async () => {
    service = await sharedIdentityService(database)
    const tenant = await service.newTenant()
    victim = await newIdentities(service, tenant)
    own = await newIdentities(service, await service.newTenant())
    colleague = await newFactorUser(service, service.clock, tenant.id)
    await mailsAreSent(victim)
    former = await rows()
  })
  after(() => service.stop())

  /** Of another tenant: what is named, and how. */
  const mixed: [title: string, foreign: () => string, unknown: string, use: Use][] = [
    [
      'roles of a new user',
      () => victim.role,
      'nothing',
      (role) => own.admin.post('/api/users', personWith(role)),
    ],
    [
      'roles of a user',
      () => victim.role,
      'nothing',
      (role) => own.admin.put(`/api/users/${own.plain.id}`, { roles: [own.role, role] }),
    ],
    [
      'roles of an invitation',
      () => victim.role,
      'nothing',
      (role) => own.admin.post('/api/invitations', { email: 'guest@example.com', roles: [own.role, role] }),
    ],
    [
      'a session of a user',
      () => victim.session,
      nobody,
      (session) => own.admin.delete(`/api/users/${own.user.id}/sessions/${session}`),
    ],
    [
      'the user of a session',
      () => victim.user.id,
      nobody,
      (user) => own.admin.delete(`/api/users/${user}/sessions/${own.session}`),
    ],
    [
      'one’s session',
      () => victim.session,
      nobody,
      (id) => own.user.client.delete(`/api/auth/sessions/${id}`),
    ],
    [
      'the actor of audited actions',
      () => victim.user.id,
      nobody,
      (id) => own.admin.get(`/api/audit?actorId=${id}&subjectId=${own.user.id}`),
    ],
    [
      'the subject of audited actions',
      () => victim.user.id,
      nobody,
      (id) => own.admin.get(`/api/audit?actorId=${own.user.id}&subjectId=${id}`),
    ],
    [
      'a session that ends with one’s own',
      () => victim.refreshToken,
      madeUp,
      async (refreshToken) => {
        const { client } = await service.signIn('worker', own.tenantId)
        return client.post('/api/auth/logout', { refreshToken })
      },
    ],
  ]

  for (const [title, foreignOf, unknown, use] of mixed)
    it(`gets for ${title} of another tenant what it gets for none`, async () => {
      const { status } = await assertAlike(use, foreignOf(), unknown)
      assert.notEqual(status, 403, 'the caller may do this with rows of their own')
    })

  it('gets for an id of another kind of another tenant what it gets for none', async () => {
    const { admin, user } = own
    const uses: Use[] = [
      (id) => admin.get(`/api/users/${id}`),
      (id) => admin.put(`/api/users/${id}`, { lastName: 'Mine' }),
      (id) => admin.delete(`/api/users/${id}`),
      (id) => admin.get(`/api/users/${id}/sessions`),
      (id) => admin.delete(`/api/users/${id}/sessions`),
      (id) => admin.delete(`/api/users/${id}/mfa`),
      (id) => admin.post(`/api/users/${id}/password-reset`),
      (id) => admin.delete(`/api/api-keys/${id}`),
      (id) => admin.delete(`/api/invitations/${id}`),
      (id) => admin.delete(`/api/webhooks/portal-sessions/${id}`),
      (id) => admin.post(`/api/mails/${id}/retry`),
      (id) => user.client.delete(`/api/auth/sessions/${id}`),
      (id) => user.client.put(`/api/auth/passkeys/${id}`, { name: 'Mine' }),
      (id) => user.client.delete(`/api/auth/passkeys/${id}`),
    ]
    for (const use of uses) {
      const none = comparable(await use(nobody))
      for (const id of idsOf(victim)) assert.deepEqual(comparable(await use(id)), none)
    }
  })

  /** Of another user of the tenant. */
  const colleagues: [title: string, id: () => string, unknown: string, use: Use][] = [
    ['a session', () => victim.session, nobody, (id) => colleague.client.delete(`/api/auth/sessions/${id}`)],
    [
      'a name of a passkey',
      () => victim.passkey,
      nobody,
      (id) => colleague.client.put(`/api/auth/passkeys/${id}`, { name: 'Mine' }),
    ],
    ['a passkey', () => victim.passkey, nobody, (id) => colleague.client.delete(`/api/auth/passkeys/${id}`)],
    ['a user', () => victim.user.id, nobody, (id) => victim.plain.client.get(`/api/users/${id}`)],
    [
      'a change of a user',
      () => victim.user.id,
      nobody,
      (id) => victim.plain.client.put(`/api/users/${id}`, {}),
    ],
    ['sessions', () => victim.user.id, nobody, (id) => victim.plain.client.get(`/api/users/${id}/sessions`)],
    [
      'second factors',
      () => victim.user.id,
      nobody,
      (id) => victim.plain.client.delete(`/api/users/${id}/mfa`),
    ],
    [
      'a session that ends with one’s own',
      () => victim.refreshToken,
      madeUp,
      async (refreshToken) => {
        const { client } = await service.signIn('worker', victim.tenantId)
        return client.post('/api/auth/logout', { refreshToken })
      },
    ],
    [
      'a session of a user, from an administrator',
      () => victim.session,
      nobody,
      (session) => victim.admin.delete(`/api/users/${victim.plain.id}/sessions/${session}`),
    ],
  ]

  for (const [title, idOf, unknown, use] of colleagues)
    it(`gets for ${title} of a colleague what it gets for none`, async () => {
      await assertAlike(use, idOf(), unknown)
    })

  it('gets for a code of a colleague what it gets for a wrong one', async () => {
    const { app, recoveryCodes } = victim.user
    const wrong = [app.wrongCode(), 'AAAA-AAAA-AAAA-AAAA']
    const verifyWith = async (code: string): Promise<Answer> => {
      const token = await mfaToken(service, colleague)
      return callerIn(victim.tenantId).post('/api/auth/mfa/verify', { token, code })
    }
    const codes = [app.code(1), recoveryCodes[0] ?? '']
    for (const [place, code] of codes.entries()) {
      const [foreign, none] = [await verifyWith(code), await verifyWith(wrong[place] ?? '')]
      assert.equal(foreign.status, none.status, foreign.text)
      assert.equal(foreign.text, none.text)
      assert.notEqual(foreign.status, 200)
    }
  })

  it('gets for a passkey of a colleague under one’s own name what it gets for a wrong one', async () => {
    const path = '/api/auth/passkeys'
    const { body } = await callerIn(victim.tenantId).post(`${path}/request-options`, {})
    const userHandle = Buffer.from(colleague.id).toString('base64url')
    const response = victim.device.get(body, { userHandle })
    assert.equal((await callerIn(victim.tenantId).post(`${path}/sign-in`, { response })).status, 401)
    const token = await mfaToken(service, colleague)
    const options = await callerIn(victim.tenantId).post(`${path}/request-options`, { token })
    assert.ok(!options.text.includes(victim.device.export().id))
  })

  it('does not add a passkey with the challenge of a colleague', async () => {
    const path = '/api/auth/passkeys'
    const { body } = await victim.user.client.post(`${path}/creation-options`)
    const device = new SoftwareAuthenticator('https://tenantry.example')
    const answer = await colleague.client.post(path, { name: 'Mine', response: device.create(body) })
    assert.equal(answer.status, 400, answer.text)
    assert.deepEqual((await colleague.client.get(path)).body, [])
  })

  it('changes nothing of them', async () => {
    const theirs = changedRows(former, await rows()).filter((row) => !row.includes(colleague.id))
    assert.deepEqual(theirs, [])
    assert.equal((await victim.user.client.get('/api/auth/me')).status, 200)
    const { refreshToken } = victim
    const refreshed = await callerIn(victim.tenantId).post('/api/auth/refresh', { refreshToken })
    assert.equal(refreshed.status, 200, refreshed.text)
  })

  async function assertAlike(use: Use, foreign: string, unknown: string): Promise<Answer> {
    assert.notEqual(foreign, '')
    const [theirs, none] = [await use(foreign), await use(unknown)]
    assert.ok(theirs.status < 500, theirs.text)
    assert.deepEqual(withoutName(theirs, foreign), withoutName(none, unknown))
    return theirs
  }

  function personWith(role: string): Record<string, unknown> {
    return person(uniqueName('new'), { roles: [own.role, role] })
  }

  function callerIn(tenantId: string): Client {
    return service.anonymous.with({ ...fromAnyAddress(), 'x-tenant-id': tenantId })
  }

  function rows(): Promise<StoredRows> {
    return storedRows(service.config.databaseUrl, victim.tenantId)
  }
})

function idsOf({ user, session, passkey, apiKey, invitation, mail, portal }: Identities): string[] {
  return [user.id, session, passkey, apiKey.id, invitation, mail, portal]
}

/** A refusal may repeat what was named, and is longer by it. */
function withoutName(answer: Answer, name: string): object {
  const headers = new Headers(answer.headers)
  headers.delete('content-length')
  return comparable({ ...answer, headers, text: answer.text.replaceAll(name, '') })
}
