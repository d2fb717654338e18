import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Answer, Client } from '../../support/client.ts'
import { inspect } from '../../support/database/inspect.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { person, startService, type TestService } from '../../support/service.ts'

onEachDatabase('The last active administrator of the host tenant', (database) => {
  let service: TestService
  let adminId: string
  before(async () => {
    service = await startService(database)
    adminId = (await service.host.get('/api/auth/me')).body.id
    // Neither of them counts: one is idle, the other no administrator.
    await service.host.post('/api/users', person('idle', { roles: ['Admin'], isActive: false }))
    await service.host.post('/api/users', person('plain'))
    await service.newTenant()
  })
  after(() => service.stop())

  const losses: [string, (client: Client, id: string) => Promise<Answer>][] = [
    ['deleted', (client, id) => client.delete(`/api/users/${id}`)],
    ['deactivated', (client, id) => client.put(`/api/users/${id}`, { isActive: false })],
    ['demoted', (client, id) => client.put(`/api/users/${id}`, { roles: ['User'] })],
  ]
  for (const [what, lose] of losses) {
    it(`cannot be ${what}`, async () => {
      const answer = await lose(service.host, adminId)
      assert.equal(answer.status, 400)
      assert.match(answer.body.message, /has to keep an active administrator/)
      assert.equal((await service.host.get('/api/auth/me')).status, 200)
      assert.deepEqual(await activeAdmins(), [adminId])
    })
  }

  it('can be changed otherwise', async () => {
    const change = { firstName: 'Augusta', roles: ['Admin'], isActive: true }
    assert.equal((await service.host.put(`/api/users/${adminId}`, change)).status, 200)
    assert.deepEqual(await activeAdmins(), [adminId])
  })

  it('is no such thing in another tenant', async () => {
    const other = await service.newTenant()
    const { body } = await other.admin.get('/api/auth/me')
    assert.equal((await service.host.put(`/api/users/${body.id}`, { roles: ['User'] })).status, 200)
    assert.equal((await service.host.delete(`/api/users/${body.id}`)).status, 204)
  })

  async function activeAdmins(): Promise<string[]> {
    const sql = "SELECT id FROM account WHERE tenant_id = 'default' AND is_active AND roles LIKE '%Admin%'"
    return (await inspect(service.config.databaseUrl, sql)).map(({ id }) => String(id))
  }
})
