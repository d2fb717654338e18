import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../../support/databases.ts'
import { person, type TestTenant, uniqueName } from '../../support/service.ts'
import { type IdentityService, sharedIdentityService } from '../identity-service.ts'

onEitherDatabase('Users', (database) => {
  let service: IdentityService
  let tenant: TestTenant
  before(async () => {
    service = await sharedIdentityService(database)
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  it('come back as they were created', async () => {
    const input = person('ada', {
      firstName: ' Ada ',
      phoneNumber: ' +44 20 ',
      roles: ['User', 'Admin'],
      unknown: 1,
    })
    const made = await tenant.admin.post('/api/users', input)
    assert.equal(made.status, 201)
    const { id, createdAt } = made.body
    assert.equal(made.headers.get('location'), `/api/users/${id}`)
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.equal(createdAt, new Date(createdAt).toISOString())
    assert.deepEqual(made.body, {
      id,
      userName: 'ada',
      email: 'ada@example.com',
      firstName: 'Ada',
      lastName: 'Lovelace',
      phoneNumber: '+44 20',
      roles: ['User', 'Admin'],
      attributes: {},
      isActive: true,
      tenantId: tenant.id,
      createdAt,
    })
    for (const path of [id, id.toUpperCase(), 'by-username/ada', 'by-username/ADA']) {
      assert.equal((await tenant.admin.get(`/api/users/${path}`)).text, made.text, path)
    }
  })

  it('are active, without a phone number and in the role User unless told otherwise', async () => {
    const { body } = await tenant.admin.post('/api/users', person('plain'))
    assert.deepEqual([body.isActive, body.phoneNumber, body.roles], [true, null, ['User']])
    const idle = await tenant.admin.post('/api/users', person('idle', { isActive: false }))
    assert.equal(idle.body.isActive, false)
    const answer = service.signIn('idle', tenant.id)
    await assert.rejects(answer, /cannot sign in: 401/)
  })

  it('are listed in the order of their creation, whole or by pages', async () => {
    const all = await tenant.admin.get('/api/users')
    const names = all.body.map(({ userName }: { userName: string }) => userName)
    assert.deepEqual(names, ['boss', 'worker', 'ada', 'plain', 'idle'])
    const first = await tenant.admin.get('/api/users?limit=3')
    assert.deepEqual(first.body, all.body.slice(0, 3))
    const [, next = ''] = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '') ?? []
    const second = await tenant.admin.get(next)
    assert.deepEqual(second.body, all.body.slice(3))
    assert.equal(second.headers.get('link'), null)
    for (const query of ['limit=0', 'limit=201', 'limit=x', 'cursor=!', 'cursor=YWJj']) {
      assert.equal((await tenant.admin.get(`/api/users?${query}`)).status, 400, query)
    }
  })

  it('are found, sorted, counted and chosen from, in REST and GraphQL', async () => {
    const own = await service.newTenant()
    const members = { firstName: 'Zoë', roles: ['User', 'Admin'], phoneNumber: '1' }
    const zoe = (await own.admin.post('/api/users', person('zoe', members))).body
    await own.admin.post('/api/users', person('idle', { isActive: false }))
    const list = (query: string) => own.admin.get(`/api/users?${query}`)
    const namesOf = async (query: string) =>
      (await list(query)).body.map(({ userName }: { userName: string }) => userName)
    assert.deepEqual(await namesOf('sort=-userName'), ['zoe', 'worker', 'idle', 'boss'])
    assert.deepEqual(await namesOf('isActive=false'), ['idle'])
    assert.deepEqual(await namesOf(`email[ieq]=${zoe.email.toUpperCase()}`), ['zoe'])
    assert.deepEqual(await namesOf('userName[icontains]=O&phoneNumber[isNull]=true'), ['boss', 'worker'])
    assert.deepEqual(await namesOf(`id[in]=${zoe.id}&firstName=Zoë`), ['zoe'])
    const page = await list('sort=-createdAt&limit=2&count=true&fields=userName,roles')
    const chosen = [
      { userName: 'idle', roles: ['User'] },
      { userName: 'zoe', roles: ['User', 'Admin'] },
    ]
    assert.deepEqual(page.body, chosen)
    assert.equal(page.headers.get('x-total-count'), '4')
    assert.ok(page.headers.get('etag'))
    const [, next = ''] = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '') ?? []
    const rest = (await own.admin.get(next)).body.map(({ userName }: { userName: string }) => userName)
    assert.deepEqual(rest, ['worker', 'boss'])
    for (const hidden of ['passwordHash', 'password_hash', 'emailKey', 'version']) {
      assert.equal((await list(`${hidden}=x`)).status, 400, hidden)
      assert.equal((await list(`fields=${hidden}`)).status, 400, hidden)
      assert.equal((await list(`sort=${hidden}`)).status, 400, hidden)
    }
    const document = `{
      users(where: { isActive: { eq: true } }, order: { userName: DESC }) { totalCount nodes { userName roles } }
      usersAggregate(groupBy: [isActive]) { count }
      user(id: "${zoe.id}") { ${Object.keys(zoe).join(' ')} }
      me { userName attributes }
    }`
    const { data } = (await own.admin.post('/graphql', { query: document })).body
    assert.deepEqual(data.users.nodes[0], { userName: 'zoe', roles: ['User', 'Admin'] })
    assert.equal(data.users.totalCount, 3)
    assert.deepEqual(data.usersAggregate, [{ count: 1 }, { count: 3 }])
    assert.deepEqual(data.user, zoe)
    assert.deepEqual(data.me, { userName: 'boss', attributes: {} })
    const refused = await own.user.post('/graphql', { query: document })
    assert.equal(refused.body.errors[0].message, 'This requires the permission user:read.')
  })

  it('change only what an update names', async () => {
    const { body } = await tenant.admin.post('/api/users', person(uniqueName('user'), { phoneNumber: '1' }))
    const path = `/api/users/${body.id}`
    for (const change of [
      { firstName: 'Augusta' },
      { lastName: 'King' },
      { email: 'New@Example.com' },
      { userName: uniqueName('NEW') },
      { phoneNumber: null },
      { roles: ['Admin'] },
      { isActive: false },
      {},
    ]) {
      const earlier = await tenant.admin.get(path)
      const answer = await tenant.admin.put(path, change)
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual(answer.body, { ...earlier.body, ...change })
      assert.equal((await tenant.admin.get(path)).text, answer.text)
    }
  })

  it('keep what does not change: id, tenant and creation', async () => {
    const { body } = await tenant.admin.post('/api/users', person(uniqueName('user')))
    const change = {
      id: '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11',
      tenantId: 'default',
      createdAt: 'x',
      firstName: 'B',
    }
    const answer = await tenant.admin.put(`/api/users/${body.id}`, change)
    assert.deepEqual(answer.body, { ...body, firstName: 'B' })
  })

  it('are gone when they are deleted, and their name is free again', async () => {
    const input = person(uniqueName('user'))
    const { body } = await tenant.admin.post('/api/users', input)
    const gone = await tenant.admin.delete(`/api/users/${body.id}`)
    assert.equal(gone.status, 204)
    assert.equal(gone.text, '')
    assert.equal((await tenant.admin.delete(`/api/users/${body.id}`)).status, 404)
    assert.equal((await tenant.admin.get(`/api/users/${body.id}`)).status, 404)
    assert.equal((await tenant.admin.post('/api/users', input)).status, 201)
  })

  it('that do not exist get 404, whatever the id looks like', async () => {
    const ids = ['0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11', '7', 'by-username', 'a%00b', '%F0%9F%98%80', "'--"]
    for (const id of ids) {
      assert.equal((await tenant.admin.get(`/api/users/${id}`)).status, 404, id)
      assert.equal((await tenant.admin.put(`/api/users/${id}`, { firstName: 'B' })).status, 404, id)
      assert.equal((await tenant.admin.delete(`/api/users/${id}`)).status, 404, id)
      assert.equal((await tenant.admin.get(`/api/users/by-username/${id}`)).status, 404, id)
    }
  })

  const faults: [string, unknown][] = [
    ['userName', 'ab'],
    ['userName', 'a b c'],
    ['email', 'nobody'],
    ['password', 'Admin1234'],
    ['firstName', ' '],
    ['lastName', 'x'.repeat(101)],
    ['phoneNumber', 'x'.repeat(51)],
    ['roles', []],
    ['roles', ['Owner']],
    ['roles', ['User', 'User']],
    ['roles', 'Admin'],
    ['isActive', 'true'],
  ]
  for (const [member, value] of faults) {
    it(`refuse ${JSON.stringify(value).slice(0, 30)} as ${member}, and name it`, async () => {
      const made = await tenant.admin.post('/api/users', person(uniqueName('user'), { [member]: value }))
      const { body } = await tenant.admin.get('/api/users/by-username/plain')
      const changed = await tenant.admin.put(`/api/users/${body.id}`, { [member]: value })
      for (const answer of [made, changed]) {
        assert.equal(answer.status, 400)
        assert.match(answer.body.message, new RegExp(`^${member}[.:]`))
      }
      assert.equal((await tenant.admin.get(`/api/users/${body.id}`)).text, JSON.stringify(body))
    })
  }
})
