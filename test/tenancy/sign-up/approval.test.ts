/** SIGN_UP=approval. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { CollectedMails } from '../../../src/testing/collected-mails.ts'
import { TestClock } from '../../support/clock.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { runsOf } from '../../support/run/extent.ts'
import { password, person, startService, type TestService, uniqueName } from '../../support/service.ts'
import { Applicant } from './applicant.ts'

const path = '/api/sign-ups'

/** At once. */
const attempts = runsOf(12, 50)

onEitherDatabase('A sign-up that waits for approval', (database) => {
  const clock = new TestClock()
  const mails = new CollectedMails()
  let service: TestService
  before(async () => {
    service = await startService(
      database,
      { SIGN_UP: 'approval' },
      { clock: clock.now, mailTransport: mails },
    )
  })
  after(() => service.stop())

  const waiting = async (subdomain?: string): Promise<{ applicant: Applicant; id: string }> => {
    const applicant = new Applicant(service, mails)
    const token = await applicant.signUp(subdomain === undefined ? {} : { subdomain })
    assert.ok(!(await service.host.get(path)).text.includes(applicant.email), 'not verified yet')
    const verified = await applicant.verify(token)
    assert.deepEqual(verified.body, { status: 'WAITING', tenantId: null, userName: 'ada', signInUrl: null })
    assertError(await applicant.verify(token), 400, /^token/)
    const { body } = await service.host.get(path)
    const { id } = body.find(({ email }: { email: string }) => email === applicant.email)
    return { applicant, id }
  }

  it('creates its tenant when an administrator of the host approves it', async () => {
    const { applicant, id } = await waiting(uniqueName('org'))
    const { text } = await service.host.get(path)
    assert.ok(!/argon2|hash/i.test(text))
    const approved = await service.host.post(`${path}/${id}/approve`)
    assert.equal(approved.status, 201, approved.text)
    assert.equal(approved.headers.get('location'), `/api/tenants/${approved.body.id}`)
    assert.match((await applicant.mail('account.signUpCompleted')).text, new RegExp(approved.body.id))
    const { client } = await service.signIn('ada', approved.body.id)
    assert.equal((await client.get('/api/auth/me')).body.emailVerified, true)
    assertError(await service.host.post(`${path}/${id}/approve`), 404)
    const { body } = await service.host.get(`/api/audit?subjectId=${id}`)
    const by = body.map(({ action, actorName }: { action: string; actorName: string | null }) => [
      action,
      actorName,
    ])
    assert.deepEqual(by.toSorted(), [
      ['signUp.approved', 'admin'],
      ['signUp.requested', null],
      ['signUp.verified', null],
    ])
  })

  it('is found, sorted, counted and chosen from, in REST and GraphQL', async () => {
    const subdomain = uniqueName('org')
    const { applicant, id } = await waiting(subdomain)
    const { id: later } = await waiting()
    const unverified = new Applicant(service, mails)
    await unverified.signUp({})
    const list = (query: string) => service.host.get(`${path}?${query}`)
    const idsOf = async (query: string) => (await list(query)).body.map((each: { id: string }) => each.id)
    assert.deepEqual(await idsOf(`email=${applicant.email}`), [id])
    assert.deepEqual(await idsOf(`email=${unverified.email}`), [])
    assert.deepEqual((await idsOf('sort=-verifiedAt')).slice(0, 2), [later, id])
    const found = await list(`subdomain=${subdomain}&count=true&fields=email,subdomain&limit=1`)
    assert.deepEqual(found.body, [{ email: applicant.email, subdomain }])
    assert.equal(found.headers.get('x-total-count'), '1')
    assert.equal((await list('fields=passwordHash')).status, 400)
    const row = (await list(`email=${applicant.email}`)).body[0]
    assert.deepEqual((await service.host.get(`${path}/${id}`)).body, row)

    const document = `{
      signUps(where: { email: { eq: "${applicant.email}" } }) { totalCount nodes { id } }
      signUpsAggregate(where: { subdomain: { eq: "${subdomain}" } }) { count }
      signUp(id: "${id}") { ${Object.keys(row).join(' ')} }
    }`
    assert.deepEqual((await service.host.post('/graphql', { query: document })).body.data, {
      signUps: { totalCount: 1, nodes: [{ id }] },
      signUpsAggregate: [{ count: 1 }],
      signUp: row,
    })
    const { admin } = await service.newTenant()
    const { data, errors } = (await admin.post('/graphql', { query: document })).body
    assert.equal(data, null)
    assert.equal(errors[0].message, 'Only the host tenant decides on sign-ups.')
    assertError(await admin.get(`${path}/${id}`), 403, 'Only the host tenant decides on sign-ups.')
    assert.equal((await service.host.post(`${path}/${id}/reject`)).status, 204)
    assertError(await service.host.get(`${path}/${id}`), 404, 'There is no such sign-up.')
  })

  it('is not approved without a recent sign-in: it makes an administrator', async () => {
    const { id } = await waiting()
    const approve = () => service.host.post(`${path}/${id}/approve`)
    clock.advance({ minutes: 11 })
    const refused = await approve()
    assert.deepEqual([refused.status, refused.headers.get('x-step-up')], [403, 'required'])
    assert.equal((await service.host.post('/api/auth/step-up', { password })).status, 200)
    assert.equal((await approve()).status, 201)
  })

  it('is rejected with a reason, which the applicant is told', async () => {
    const { applicant, id } = await waiting()
    const reason = 'We know no such organisation.'
    assert.equal((await service.host.post(`${path}/${id}/reject`, { reason })).status, 204)
    assert.match((await applicant.mail('account.signUpRejected')).text, /We know no such organisation\./)
    assertError(await service.host.post(`${path}/${id}/reject`), 404)
    const silent = await waiting()
    assert.equal((await service.host.post(`${path}/${silent.id}/reject`)).status, 204)
  })

  it('is decided on once, also by many at once', async () => {
    const { id } = await waiting()
    const answers = await Promise.all(
      Array.from({ length: attempts }, (_, index) =>
        index % 2 === 0
          ? service.host.post(`${path}/${id}/approve`)
          : service.host.post(`${path}/${id}/reject`, {}),
      ),
    )
    assert.equal(answers.filter(({ status }) => status < 300).length, 1)
    assert.ok(answers.every(({ status }) => [201, 204, 404].includes(status)))
  })

  it('keeps waiting when its subdomain was taken meanwhile', async () => {
    const subdomain = uniqueName('org')
    const { id } = await waiting(subdomain)
    await service.host.post('/api/tenants', { id: uniqueName('other'), name: 'Other', subdomain })
    assertError(await service.host.post(`${path}/${id}/approve`), 400, /^subdomain: is taken/)
    assert.equal((await service.host.post(`${path}/${id}/reject`, {})).status, 204)
  })

  it('is seen and decided by whoever has the permission in the host tenant, and by nobody else', async () => {
    const { id } = await waiting()
    const tenant = await service.newTenant()
    for (const refused of [
      await tenant.admin.get(path),
      await tenant.admin.post(`${path}/${id}/approve`),
      await tenant.admin.post(`${path}/${id}/reject`, {}),
      await tenant.user.get(path),
    ])
      assertError(refused, 403)
    await service.host.post('/api/roles', {
      name: 'Reception',
      permissions: ['sign-up:read', 'sign-up:write'],
    })
    const userName = uniqueName('reception')
    await service.host.post('/api/users', person(userName, { roles: ['Reception'] }))
    const { client } = await service.signIn(userName)
    assert.ok((await client.get(`${path}?limit=50`)).text.includes(id))
    assert.equal((await client.post(`${path}/${id}/approve`)).status, 201)
  })

  it('is removed after thirty days', async () => {
    const { id } = await waiting()
    clock.advance({ days: 30 })
    const { client: host } = await service.signIn('admin')
    assert.ok(!(await host.get(path)).text.includes(id))
    assertError(await host.post(`${path}/${id}/approve`), 404)
    clock.advance({ days: -30 })
  })
})
