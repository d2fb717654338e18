/** What strangers cause by signing up with the addresses of others, and what they learn of them. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { requestContext } from '../../../src/core/create-context.ts'
import { newId } from '../../../src/core/id.ts'
import { accountPages } from '../../../src/identity/account-link.ts'
import { requestSignUp } from '../../../src/tenancy/sign-up/sign-up.ts'
import { CollectedMails } from '../../../src/testing/collected-mails.ts'
import { recorded } from '../../support/database/recorded.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { fromAnyAddress } from '../../support/http/forwarded.ts'
import { password, person, startService, type TestService, uniqueName } from '../../support/service.ts'

onEitherDatabase('Strangers who sign up with the addresses of others', (database) => {
  const mails = new CollectedMails()
  let service: TestService
  before(async () => {
    const options = { mailTransport: mails, strictRequests: 1000 }
    service = await startService(database, { SIGN_UP: 'open' }, options)
  })
  after(() => service.stop())

  const signUp = (email: string, headers = fromAnyAddress()) =>
    service.anonymous.post('/api/auth/sign-up', { ...person('ada', { email }), tenantName: 'Any' }, headers)
  const forget = (userName: string, tenantId: string) =>
    service.anonymous.post(
      '/api/auth/forgot-password',
      { userName },
      { ...fromAnyAddress(), 'x-tenant-id': tenantId },
    )
  const sentTo = async (email: string, template: string): Promise<number> => {
    await service.service.queueWorkers.drain()
    return mails.list().filter((mail) => mail.to === email && mail.template === template).length
  }
  const newAddress = (): string => `${uniqueName('victim')}@example.com`

  it('send one mailbox five mails in an hour, however its address is written', async () => {
    const name = uniqueName('victim')
    const written = [`${name}@example.com`, `${name.toUpperCase()}@example.com`, `${name}+shop@example.com`]
    for (let count = 0; count < 9; count++) assert.equal((await signUp(written[count % 3] ?? '')).status, 202)
    const counts = await Promise.all(written.map((email) => sentTo(email, 'account.signUp')))
    assert.equal(
      counts.reduce((sum, count) => sum + count),
      5,
    )
  })

  it('have fifty requests in an hour for each network, together with forgotten passwords', async () => {
    const headers = fromAnyAddress()
    for (let count = 0; count < 49; count++) assert.equal((await signUp(newAddress(), headers)).status, 202)
    const forgotten = { userName: 'nobody' }
    assert.equal((await service.anonymous.post('/api/auth/forgot-password', forgotten, headers)).status, 202)
    const refused = await signUp(newAddress(), headers)
    assertError(refused, 429, /Too many/)
    assert.match(refused.headers.get('ratelimit-policy') ?? '', /"mail";q=50;w=3600/)
    assertError(await service.anonymous.post('/api/auth/forgot-password', forgotten, headers), 429)
    const origin = { origin: new URL(service.url).origin, 'sec-fetch-site': 'same-origin' }
    for (const page of ['sign-up', 'forgot-password'])
      assert.equal(
        (await service.anonymous.post(`/account/${page}`, {}, { ...headers, ...origin })).status,
        429,
      )
    assert.equal((await signUp(newAddress())).status, 202)
  })

  it('take no mail from a user who has forgotten the password, or is invited', async () => {
    const { id, admin } = await service.newTenant()
    const email = newAddress()
    await admin.post('/api/users', person(uniqueName('ada'), { email }))
    for (let count = 0; count < 6; count++) await signUp(email)
    assert.equal((await forget(email, id)).status, 202)
    const isMailed = async () => (await sentTo(email, 'account.resetPassword')) === 1
    await eventually('the mail of a forgotten password', soonMs, isMailed)
    const other = await service.newTenant()
    assert.equal((await other.admin.post('/api/invitations', { email })).status, 201)
  })

  it('do not learn from the mails of their own tenant which users another tenant has', async () => {
    const [theirs, own] = [await service.newTenant(), await service.newTenant()]
    const email = newAddress()
    await theirs.admin.post('/api/users', person(uniqueName('ada'), { email }))
    for (let count = 0; count < 6; count++) await forget(email, theirs.id)
    await eventually('their mails', soonMs, async () => (await sentTo(email, 'account.resetPassword')) === 5)
    await own.admin.post('/api/users', person(uniqueName('eve'), { email }))
    await forget(email, own.id)
    await eventually('the own mail', soonMs, async () => (await sentTo(email, 'account.resetPassword')) === 6)
  })

  it('cause the same statements for an address that has users and for one that has none', async () => {
    const { admin } = await service.newTenant()
    const known = newAddress()
    await admin.post('/api/users', person(uniqueName('ada'), { email: known }))
    await service.host.post('/api/users', person(uniqueName('ada'), { email: known }))
    const statements = await Promise.all([known, newAddress()].map(statementsOf))
    assert.ok((statements[0]?.length ?? 0) > 5)
    assert.deepEqual(statements[0], statements[1])
    assert.deepEqual(
      statements.flat().filter((sql) => /"(account|sign_in_name)"/.test(sql)),
      [],
    )
  })

  const statementsOf = async (email: string): Promise<string[]> => {
    const { shared, tenant } = await service.service.operator()
    const statements: string[] = []
    const catalogueDatabase = recorded(shared.catalogueDatabase, statements)
    const source = { id: newId(), ip: '203.0.113.7', userAgent: null }
    const caller = { actor: null, tenant, idempotency: null, database: null }
    const context = requestContext({ ...shared, catalogueDatabase }, source, caller)
    const parts = {
      mode: 'open',
      reserved: [],
      pages: accountPages({ ...service.config, accountUrl: null }),
    } as const
    const name = { userName: 'ada', firstName: 'Ada', lastName: 'Lovelace', password }
    await requestSignUp(context, parts, { ...name, email, tenantName: 'Any' })
    return statements
  }
})
