import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../support/databases.ts'
import { password, person, startService, type TestService, uniqueName } from '../support/service.ts'

onEitherDatabase('Tenants', (database) => {
  let service: TestService
  before(async () => {
    service = await startService(database)
  })
  after(() => service.stop())

  it('come back as they were created', async () => {
    const input = { id: 'Acme.1', name: ' Acme Ltd ', subdomain: 'ACME', plan: ' pro ', unknown: 1 }
    const made = await service.host.post('/api/tenants', input)
    assert.equal(made.status, 201)
    const { createdAt } = made.body
    assert.equal(createdAt, new Date(createdAt).toISOString())
    const expected = {
      id: 'Acme.1',
      name: 'Acme Ltd',
      subdomain: 'acme',
      plan: 'pro',
      isActive: true,
      createdAt,
    }
    assert.deepEqual(made.body, expected)
    assert.equal(made.headers.get('location'), '/api/tenants/Acme.1')
    for (const id of ['Acme.1', 'acme.1', 'ACME.1']) {
      assert.equal((await service.host.get(`/api/tenants/${id}`)).text, made.text)
    }
  })

  it('have null for what was left out', async () => {
    const { body } = await service.host.post('/api/tenants', { id: 'plain', name: 'Plain' })
    assert.deepEqual(body, { ...body, subdomain: null, plan: null, isActive: true })
  })

  it('are listed with the host, whole or by pages', async () => {
    const all = await service.host.get('/api/tenants')
    const ids = all.body.map(({ id }: { id: string }) => id)
    assert.deepEqual(ids, ['Acme.1', 'default', 'plain'])
    const first = await service.host.get('/api/tenants?limit=2')
    assert.deepEqual(first.body, all.body.slice(0, 2))
    const [, next = ''] = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '') ?? []
    const second = await service.host.get(next)
    assert.deepEqual(second.body, all.body.slice(2))
    assert.equal(second.headers.get('link'), null)
    const counted = await service.host.get('/api/tenants?limit=1&fields=plan,id&count=true')
    assert.deepEqual(counted.body, [{ id: 'Acme.1', plan: 'pro' }])
    assert.equal(counted.headers.get('x-total-count'), '3')
    for (const query of ['limit=0', 'limit=x', 'limit=1000', 'cursor=AA']) {
      assert.equal((await service.host.get(`/api/tenants?${query}`)).status, 400, query)
    }
  })

  it('change only what an update names', async () => {
    const id = uniqueName('tenant')
    await service.host.post('/api/tenants', { id, name: 'Old', subdomain: uniqueName('sub'), plan: 'free' })
    const path = `/api/tenants/${id.toUpperCase()}`
    const subdomain = uniqueName('sub')
    for (const change of [
      { name: 'New' },
      { plan: 'pro' },
      { subdomain },
      { plan: null },
      { subdomain: null },
      {},
    ]) {
      const earlier = await service.host.get(path)
      const answer = await service.host.put(path, { ...change, id: 'other', createdAt: 'x' })
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual(answer.body, { ...earlier.body, ...change })
      assert.equal((await service.host.get(path)).text, answer.text)
    }
  })

  it('may come with their first administrator, all or nothing', async () => {
    const id = uniqueName('tenant')
    const refused = await service.host.post('/api/tenants', { id, name: id, admin: person('a') })
    assert.equal(refused.status, 400)
    assert.match(refused.body.message, /admin\.userName: /)
    assert.equal((await service.host.get(`/api/tenants/${id}`)).status, 404)
    const made = await service.host.post('/api/tenants', { id, name: id, admin: person('boss') })
    assert.equal(made.status, 201)
    assert.ok(!('admin' in made.body))
    const { client } = await service.signIn('boss', id, password)
    assert.deepEqual((await client.get('/api/auth/me')).body.roles, ['Admin'])
  })

  const taken: [string, Record<string, string>][] = [
    ['id', { id: 'Acme.1' }],
    ['id', { id: 'aCME.1' }],
    ['id', { id: 'default' }],
    ['id', { id: 'DEFAULT' }],
    ['subdomain', { subdomain: 'acme' }],
    ['subdomain', { subdomain: 'Acme' }],
  ]
  for (const [member, members] of taken) {
    it(`refuse the ${member} ${members[member]} twice, and name it`, async () => {
      const answer = await service.host.post('/api/tenants', {
        id: uniqueName('tenant'),
        name: 'Twin',
        ...members,
      })
      assert.equal(answer.status, 400)
      assert.deepEqual(answer.body, { message: `${member}: is taken by another tenant` })
    })
  }

  it('refuse a taken subdomain in an update, but not their own', async () => {
    const answer = await service.host.put('/api/tenants/plain', { subdomain: 'ACME' })
    assert.equal(answer.status, 400)
    assert.deepEqual(answer.body, { message: 'subdomain: is taken by another tenant' })
    assert.equal((await service.host.put('/api/tenants/acme.1', { subdomain: 'Acme' })).status, 200)
  })

  it('go to one of ten who ask for the same id at once', async () => {
    const id = uniqueName('tenant')
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        service.host.post('/api/tenants', { id: index % 2 === 0 ? id : id.toUpperCase(), name: `${index}` }),
      ),
    )
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, ...Array<number>(9).fill(400)])
  })

  const faults: [string, unknown][] = [
    ...['', '.a', '-a', '_a', 'a b', 'a/b', '../a', 'ä', 'a\n', 'x'.repeat(65), 7, null].map(fault('id')),
    ...['', ' ', 'x'.repeat(201), null, {}].map(fault('name')),
    ...['', '-a', 'a-', 'a.b', 'a_b', 'ä', 'x'.repeat(64), 7].map(fault('subdomain')),
    ...['x'.repeat(51), 7].map(fault('plan')),
    ...['', 'mysql://db/a', 'sqlite:../a.db', 7, 'x'.repeat(2049)].map(fault('connectionString')),
  ]
  for (const [member, value] of faults) {
    it(`refuse ${JSON.stringify(value).slice(0, 30)} as ${member}, and name it`, async () => {
      const answer = await service.host.post('/api/tenants', {
        id: uniqueName('t'),
        name: 'T',
        [member]: value,
      })
      assert.equal(answer.status, 400)
      assert.match(answer.body.message, new RegExp(`^${member}: `))
      if (member === 'id') return
      const update = await service.host.put('/api/tenants/plain', { [member]: value })
      assert.equal(update.status, 400)
      assert.match(update.body.message, new RegExp(`^${member}: `))
    })
  }

  it('that do not exist get 404, whatever the id looks like', async () => {
    for (const id of ['nobody', 'a%00b', '%2e%2e%2f', '%F0%9F%98%80', "'--", 'x'.repeat(300)]) {
      assert.equal((await service.host.get(`/api/tenants/${id}`)).status, 404, id)
      assert.equal((await service.host.get(`/api/tenants/${id}/database`)).status, 404, id)
      assert.equal((await service.host.put(`/api/tenants/${id}`, { name: 'B' })).status, 404, id)
      assert.equal((await service.host.delete(`/api/tenants/${id}`)).status, 404, id)
    }
  })
})

function fault(member: string) {
  return (value: unknown): [string, unknown] => [member, value]
}
