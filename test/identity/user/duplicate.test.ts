import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachDatabase } from '../../support/databases.ts'
import { person, type TestTenant } from '../../support/service.ts'
import { type IdentityService, rivals, sharedIdentityService } from '../identity-service.ts'

onEachDatabase('A user name or an email that is taken', (database) => {
  let service: IdentityService
  let tenant: TestTenant
  before(async () => {
    service = await sharedIdentityService(database)
    tenant = await service.newTenant()
    await tenant.admin.post('/api/users', person('ada'))
    await tenant.admin.post('/api/users', person('someone@example.org', { email: 'some@example.com' }))
  })
  after(() => service.stop())

  const duplicates: [string, Record<string, unknown>][] = [
    ['userName', { userName: 'ada', email: 'other@example.com' }],
    ['userName', { userName: 'ADA', email: 'other@example.com' }],
    ['email', { userName: 'other', email: 'ada@example.com' }],
    ['email', { userName: 'other', email: 'Ada@EXAMPLE.com' }],
    ['userName', { userName: 'Ada@Example.com', email: 'other@example.com' }],
    ['email', { userName: 'other', email: 'Someone@Example.org' }],
  ]
  for (const [member, members] of duplicates) {
    it(`is refused and named: ${String(members[member])}`, async () => {
      const answer = await tenant.admin.post('/api/users', person('other', members))
      assert.equal(answer.status, 400)
      assert.deepEqual(answer.body, { message: `${member}: is taken by another user` })
    })
    it(`is refused in an update as well: ${String(members[member])}`, async () => {
      const { body } = await tenant.admin.get('/api/users/by-username/worker')
      const answer = await tenant.admin.put(`/api/users/${body.id}`, { [member]: members[member] })
      assert.equal(answer.status, 400)
      assert.deepEqual(answer.body, { message: `${member}: is taken by another user` })
    })
  }

  it('is no obstacle to its own user', async () => {
    const { body } = await tenant.admin.get('/api/users/by-username/ada')
    const change = { userName: 'Ada', email: 'ADA@example.com' }
    assert.equal((await tenant.admin.put(`/api/users/${body.id}`, change)).status, 200)
  })

  it('is free in another tenant', async () => {
    const other = await service.newTenant()
    assert.equal((await other.admin.post('/api/users', person('ada'))).status, 201)
  })

  it('may be name and email of one user, and is free when that user gives it up or goes', async () => {
    const both = 'Both@Example.com'
    const made = await tenant.admin.post('/api/users', person(both, { email: both }))
    assert.equal(made.status, 201)
    const path = `/api/users/${made.body.id}`
    const rival = () => tenant.admin.post('/api/users', person('rival', { email: both.toLowerCase() }))
    assert.equal((await tenant.admin.put(path, { userName: 'both' })).status, 200)
    assert.equal((await rival()).status, 400)
    assert.equal((await tenant.admin.put(path, { email: 'both@example.org', userName: 'Both' })).status, 200)
    const taken = await rival()
    assert.equal(taken.status, 201)
    assert.equal((await tenant.admin.delete(`/api/users/${taken.body.id}`)).status, 204)
    assert.equal((await tenant.admin.put(path, { userName: both })).status, 200)
    for (const name of [both, 'both@example.org'])
      assert.ok((await service.signIn(name, tenant.id)).accessToken)
    await assert.rejects(service.signIn('both', tenant.id), /401/)
  })

  it('takes no sign-in away from the user whose email it is', async () => {
    const victim = await tenant.admin.post('/api/users', person('victim', { password: 'Victim@123' }))
    assert.equal(victim.status, 201)
    const rival = await tenant.admin.post(
      '/api/users',
      person('rival', { userName: 'victim@example.com', email: 'r@example.com' }),
    )
    assert.equal(rival.status, 400)
    const { client } = await service.signIn('victim@example.com', tenant.id, 'Victim@123')
    assert.equal((await client.get('/api/auth/me')).body.userName, 'victim')
  })

  it('goes to one of many who ask for it at once, as a name or as an email', async () => {
    const asked = 'wanted@example.com'
    const answers = await Promise.all(
      Array.from({ length: rivals }, (_, index) =>
        tenant.admin.post(
          '/api/users',
          index % 2 === 0
            ? person(asked, { email: `w${index}@example.com` })
            : person(`wish${index}`, { email: asked.toUpperCase() }),
        ),
      ),
    )
    const refused = answers.filter(({ status }) => status === 400)
    assert.deepEqual([answers.filter(({ status }) => status === 201).length, refused.length], [1, rivals - 1])
    for (const { text } of refused) assert.match(text, /(userName|email): is taken by another user/)
  })

  it('goes to one of many who ask for it at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: rivals }, (_, index) =>
        tenant.admin.post('/api/users', person(index % 2 === 0 ? 'twin' : 'TWIN')),
      ),
    )
    const statuses = answers.map(({ status }) => status).toSorted()
    assert.deepEqual(statuses, [201, ...Array<number>(rivals - 1).fill(400)])
  })
})
