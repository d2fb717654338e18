import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachDatabase } from '../harness/databases.ts'
import { person, startService, type TestService, type TestTenant } from '../harness/service.ts'

onEachDatabase('A user name or an email that is taken', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService(database)
    tenant = await service.newTenant()
    await tenant.admin.post('/api/users', person('ada'))
  })
  after(() => service.stop())

  const duplicates: [string, Record<string, unknown>][] = [
    ['userName', { userName: 'ada', email: 'other@example.com' }],
    ['userName', { userName: 'ADA', email: 'other@example.com' }],
    ['email', { userName: 'other', email: 'ada@example.com' }],
    ['email', { userName: 'other', email: 'Ada@EXAMPLE.com' }],
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

  it('goes to one of twenty who ask for it at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        tenant.admin.post('/api/users', person(index % 2 === 0 ? 'twin' : 'TWIN')),
      ),
    )
    const statuses = answers.map(({ status }) => status).toSorted()
    assert.deepEqual(statuses, [201, ...Array<number>(19).fill(400)])
  })
})
