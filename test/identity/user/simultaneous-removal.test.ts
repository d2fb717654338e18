import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Answer, Client } from '../../support/client.ts'
import { inspect } from '../../support/database/inspect.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { type Instance, startInstance } from '../../support/instance.ts'
import { person, startService, type TestService, uniqueName } from '../../support/service.ts'

interface Admin {
  id: string
  client: Client
}

onEachDatabase('Of the last two administrators of the host', (database) => {
  let service: TestService
  let other: Instance | null = null
  /** Whoever was left the last time. */
  let survivor: Admin
  before(async () => {
    service = await startService(database)
    if (database === 'postgres') other = await startInstance(service)
    survivor = { id: (await service.host.get('/api/auth/me')).body.id, client: service.host }
  })
  after(async () => {
    await other?.stop()
    await service.stop()
  })

  const losses: [string, (client: Client, id: string) => Promise<Answer>][] = [
    ['deactivate', (client, id) => client.put(`/api/users/${id}`, { isActive: false })],
    ['demote', (client, id) => client.put(`/api/users/${id}`, { roles: ['User'] })],
    ['delete', (client, id) => client.delete(`/api/users/${id}`)],
  ]
  for (const [what, lose] of losses) {
    it(`who ${what} each other at once, one stays`, async () => {
      for (let round = 0; round < 2; round++) {
        const rival = await addAdmin()
        const answers = await Promise.all([lose(survivor.client, rival.id), lose(rival.client, survivor.id)])
        const statuses = answers.map(({ status }) => status)
        assert.equal(statuses.filter((status) => status < 300).length, 1, statuses.join())
        assert.ok(
          statuses.every((status) => [200, 204, 400, 401].includes(status)),
          statuses.join(),
        )
        const left = await activeAdmins()
        assert.equal(left.length, 1)
        if (left[0] === rival.id) survivor = rival
      }
    })
  }

  it('who step down at once, one stays', async () => {
    const rival = await addAdmin()
    const answers = await Promise.all(
      [survivor, rival].map(({ client, id }) => client.put(`/api/users/${id}`, { roles: ['User'] })),
    )
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400])
    assert.equal((await activeAdmins()).length, 1)
  })

  async function addAdmin(): Promise<Admin> {
    const userName = uniqueName('admin')
    const { body } = await survivor.client.post('/api/users', person(userName, { roles: ['Admin'] }))
    const { client, accessToken } = await service.signIn(userName)
    return { id: body.id, client: other?.anonymous.withToken(accessToken) ?? client }
  }

  async function activeAdmins(): Promise<string[]> {
    const sql = "SELECT id FROM account WHERE is_active AND roles LIKE '%Admin%'"
    return (await inspect(service.config.databaseUrl, sql)).map(({ id }) => String(id))
  }
})
