/** Sign-up of tenants with SIGN_UP=open, and without it. With approval: approval.test.ts. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { removeExpiredSignUps } from '../../../src/tenancy/sign-up/approval.ts'
import { CollectedMails } from '../../../src/testing/collected-mails.ts'
import { TestClock } from '../../support/clock.ts'
import { inspect } from '../../support/database/inspect.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { soonMs } from '../../support/eventually.ts'
import { fromAnyAddress } from '../../support/http/forwarded.ts'
import { runsOf } from '../../support/run/extent.ts'
import { password, startService, type TestService, uniqueName } from '../../support/service.ts'
import { Applicant } from './applicant.ts'

/** At once. */
const attempts = runsOf(12, 50)

onEitherDatabase('A sign-up', (database) => {
  const clock = new TestClock()
  const mails = new CollectedMails()
  let service: TestService
  before(async () => {
    const settings = { SIGN_UP: 'open', RESERVED_SUBDOMAINS: 'ours' }
    service = await startService(database, settings, { clock: clock.now, mailTransport: mails })
  })
  after(() => service.stop())

  const newApplicant = () => new Applicant(service, mails)
  const rowsOf = (text: string) => inspect(service.config.databaseUrl, text)

  it('creates tenant and administrator once the address is verified, and nothing before', async () => {
    const applicant = newApplicant()
    const { name: subdomain, email } = applicant
    const token = await applicant.signUp({ subdomain })
    assert.equal((await service.host.get(`/api/tenants/${subdomain}`)).status, 404)
    assert.deepEqual(await rowsOf(`SELECT id FROM account WHERE email = '${email}'`), [])
    const stored = JSON.stringify([
      await rowsOf('SELECT * FROM sign_up'),
      await rowsOf('SELECT * FROM one_time_token'),
    ])
    assert.ok(stored.includes(email) && !stored.includes(password) && !stored.includes(token))
    assert.match(stored, /\$argon2id\$/)
    const done = await applicant.verify(token)
    assert.equal(done.status, 200, done.text)
    const signInUrl = `${service.config.baseUrl}/console?tenant=${subdomain}`
    assert.deepEqual(done.body, { status: 'COMPLETED', tenantId: subdomain, userName: 'ada', signInUrl })
    const { client } = await service.signIn(email, subdomain)
    const { body: me } = await client.get('/api/auth/me')
    assert.deepEqual([me.roles, me.emailVerified, me.email], [['Admin'], true, email])
    assert.equal((await client.get(`/api/tenants/${subdomain}`)).body.subdomain, subdomain)
    const welcome = await applicant.mail('account.signUpCompleted')
    assert.match(welcome.text, new RegExp(subdomain))
    assert.ok(welcome.text.includes(`Sign in:\n${signInUrl}\n`), welcome.text)
    assert.deepEqual(await rowsOf(`SELECT id FROM sign_up WHERE email = '${email}'`), [])
    const { body } = await service.host.get('/api/audit?limit=50')
    const actions = body
      .filter(({ detail }: { detail: { email?: string } }) => detail.email === email)
      .map(({ action }: { action: string }) => action)
    assert.deepEqual(actions.toSorted(), ['signUp.completed', 'signUp.requested'])
    const events = await rowsOf(`SELECT type FROM event WHERE data LIKE '%${applicant.name}%'`)
    for (const type of ['signUp.verified', 'signUp.completed', 'tenant.created'])
      assert.ok(
        events.some((each) => each['type'] === type),
        type,
      )
  })

  it('generates the id of a tenant without a subdomain', async () => {
    const applicant = newApplicant()
    const done = await applicant.verify(await applicant.signUp())
    assert.match(done.body.tenantId, /^[0-9a-f-]{36}$/)
    await service.signIn('ada', done.body.tenantId)
  })

  it('is completed once, also by many at once', async () => {
    const applicant = newApplicant()
    const token = await applicant.signUp({ subdomain: applicant.name })
    const answers = await Promise.all(Array.from({ length: attempts }, () => applicant.verify(token)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    for (const answer of answers.filter(({ status }) => status !== 200))
      assertError(answer, 400, /^(token|subdomain): is (not valid|taken)/)
    const query = `SELECT id FROM account WHERE email = '${applicant.email}'`
    assert.equal((await rowsOf(query)).length, 1)
  })

  it('gets its subdomain once, when two race for it', async () => {
    const [one, other] = [newApplicant(), newApplicant()]
    const subdomain = one.name
    const tokens = [
      await one.signUp({ subdomain }),
      await other.signUp({ subdomain: subdomain.toUpperCase() }),
    ]
    const answers = await Promise.all([one.verify(tokens[0] ?? ''), other.verify(tokens[1] ?? '')])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400])
    const refused = answers.find(({ status }) => status === 400)
    assert.ok(refused)
    assertError(refused, 400, /^subdomain: is taken by another tenant/)
    assert.equal((await rowsOf(`SELECT id FROM tenant WHERE id = '${subdomain}'`)).length, 1)
  })

  it('is refused for a subdomain that is taken or reserved', async () => {
    const tenant = await service.newTenant({ subdomain: uniqueName('sub') })
    const { subdomain } = (await tenant.admin.get(`/api/tenants/${tenant.id}`)).body
    for (const taken of [subdomain, tenant.id, 'default'])
      assertError(await newApplicant().request({ subdomain: taken }), 400, /^subdomain: is (taken|reserved)/)
    for (const reserved of ['www', 'API', 'admin', 'console', 'static', 'ours', 'xn--80ak6aa92e'])
      assertError(await newApplicant().request({ subdomain: reserved }), 400, /^subdomain: is reserved$/)
    assertError(await tenant.admin.put(`/api/tenants/${tenant.id}`, { subdomain: 'ours' }), 400, /reserved/)
    assert.equal((await service.host.put(`/api/tenants/${tenant.id}`, { subdomain: 'ours' })).status, 200)
    assert.equal((await tenant.admin.put(`/api/tenants/${tenant.id}`, { subdomain: 'ours' })).status, 200)
  })

  it('is answered alike for an address that has users, pending sign-ups, or no budget left', async () => {
    const applicant = newApplicant()
    await applicant.verify(await applicant.signUp())
    const answers = [await newApplicant().request()]
    for (let count = 0; count < 6; count++) answers.push(await applicant.request())
    assert.equal(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1)
    await service.service.queueWorkers.drain()
    assert.equal(applicant.mails('account.signUp').length, 5)
    assert.equal((await rowsOf(`SELECT id FROM sign_up WHERE email = '${applicant.email}'`)).length, 4)
  })

  it('takes its password with the link, so that nobody signs somebody else up', async () => {
    const applicant = newApplicant()
    const token = await applicant.signUp()
    for (let count = 0; count < 10; count++)
      assertError(await applicant.verify(token, 'Wrong@123'), 400, /^password: is wrong/)
    const { body } = await service.host.get('/api/audit?action=signUp.refused')
    assert.equal(body.length, 10)
    assert.equal((await applicant.verify(token)).status, 200, 'the right one is accepted still')
    const other = newApplicant()
    const guessed = await other.signUp()
    for (let count = 0; count < 11; count++) await other.verify(guessed, 'Wrong@123')
    assertError(await other.verify(guessed), 400, /^token: is not valid/)
  })

  it('has a link that says nothing of what strangers type, and expires', async () => {
    const applicant = newApplicant()
    const token = await applicant.signUp({ tenantName: 'Buy at Evil', firstName: 'Evil' })
    const { text, subject } = await applicant.mail('account.signUp')
    assert.ok(!/evil|ada/i.test(`${text} ${subject}`.replaceAll(applicant.email, '')))
    assertError(await applicant.verify(`${token}x`), 400, /^token/)
    clock.advance({ days: 1 })
    assertError(await applicant.verify(token), 400, /^token: is not valid/)
    await removeExpiredSignUps.run(await service.service.operator(), AbortSignal.timeout(soonMs))
    assert.deepEqual(await rowsOf(`SELECT id FROM sign_up WHERE email = '${applicant.email}'`), [])
    clock.advance({ days: -1 })
  })

  it('is refused for a weak or known password, and for an address that no mail can be sent to', async () => {
    const applicant = newApplicant()
    assertError(await applicant.request({ password: 'weak' }), 400, /^password/)
    assertError(await applicant.request({ email: '"a b"@example.com' }), 400, /^email/)
    assertError(await applicant.request({ tenantName: ' ' }), 400, /^tenantName/)
  })

  it('is refused for a name that mails of the operator would make a link of, as are later names', async () => {
    const tenant = await service.newTenant()
    for (const name of ['Your account is locked http://evil.example', 'evil.example', 'Acme\u202e', 'Аcme']) {
      assertError(await newApplicant().request({ tenantName: name }), 400, /^tenantName: must not have/)
      const asked = await service.host.put(`/api/tenants/${tenant.id}`, { name })
      assertError(asked, 400, /^name: must not have/)
      assertError(await service.host.post('/api/tenants', { id: uniqueName('t'), name }), 400, /^name: must/)
      assertError(
        await tenant.admin.put('/api/tenant/settings', { brandName: name }),
        400,
        /^brandName: must/,
      )
    }
    const named = await tenant.admin.put('/api/tenant/settings', { brandName: 'Müller & Söhne' })
    assert.equal(named.status, 200, named.text)
  })

  it('is for the host tenant alone, and counts like a sign-in', async () => {
    const tenant = await service.newTenant()
    assertError(await newApplicant().request({}, { 'x-tenant-id': tenant.id }), 404)
    assertError(await tenant.admin.get('/api/sign-ups'), 403, /host tenant/)
    const headers = fromAnyAddress()
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => newApplicant().request({ tenantName: '' }, headers)),
    )
    assert.equal(answers.filter(({ status }) => status === 429).length, 1)
  })
})

onEitherDatabase('A sign-up that is off', (database) => {
  it('is refused by the routes and the pages', async () => {
    const mails = new CollectedMails()
    const service = await startService(database, {}, { mailTransport: mails })
    const applicant = new Applicant(service, mails)
    assertError(await applicant.request(), 403, /turned off/)
    assertError(await applicant.verify('x'.repeat(43)), 403, /turned off/)
    const page = await fetch(new URL('/account/sign-up', service.url), { headers: { accept: 'text/html' } })
    assert.equal(page.status, 403)
    assert.match(await page.text(), /Signing up is turned off here/)
    await service.stop()
  })
})
