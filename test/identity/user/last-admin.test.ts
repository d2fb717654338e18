/** The host tenant keeps an active administrator, also when the last two remove each other at once. */
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

interface Loss {
  done: string
  verb: string
  lose(client: Client, id: string): Promise<Answer>
}

const losses: Loss[] = [
  {
    done: 'deactivated',
    verb: 'deactivate',
    lose: (client, id) => client.put(`/api/users/${id}`, { isActive: false }),
  },
  {
    done: 'demoted',
    verb: 'demote',
    lose: (client, id) => client.put(`/api/users/${id}`, { roles: ['User'] }),
  },
  { done: 'deleted', verb: 'delete', lose: (client, id) => client.delete(`/api/users/${id}`) },
]

onEachDatabase('The last active administrator of the host tenant', (database) => {
  let service: TestService
  let other: Instance | null = null
  /** Whoever is left. */
  let last: Admin
  before(async () => {
    service = await startService(database)
    if (database === 'postgres') other = await startInstance(service)
    last = { id: (await service.host.get('/api/auth/me')).body.id, client: service.host }
    // Neither of them counts: one is idle, the other no administrator.
    await service.host.post('/api/users', person('idle', { roles: ['Admin'], isActive: false }))
    await service.host.post('/api/users', person('plain'))
    await service.newTenant()
  })
  after(async () => {
    await other?.stop()
    await service.stop()
  })

  for (const { done, lose } of losses) {
    it(`cannot be ${done}`, async () => {
      const answer = await lose(last.client, last.id)
      assert.equal(answer.status, 400)
      assert.match(answer.body.message, /has to keep an active administrator/)
      assert.equal((await last.client.get('/api/auth/me')).status, 200)
      assert.deepEqual(await activeAdmins(), [last.id])
    })
  }

  it('can be changed otherwise', async () => {
    const change = { firstName: 'Augusta', roles: ['Admin'], isActive: true }
    assert.equal((await last.client.put(`/api/users/${last.id}`, change)).status, 200)
    assert.deepEqual(await activeAdmins(), [last.id])
  })

  it('is no such thing in another tenant', async () => {
    const tenant = await service.newTenant()
    const { body } = await tenant.admin.get('/api/auth/me')
    assert.equal((await last.client.put(`/api/users/${body.id}`, { roles: ['User'] })).status, 200)
    assert.equal((await last.client.delete(`/api/users/${body.id}`)).status, 204)
  })

  for (const { verb, lose } of losses) {
    it(`is one of two who ${verb} each other at once`, async () => {
      const rival = await addAdmin()
      const answers = await Promise.all([lose(last.client, rival.id), lose(rival.client, last.id)])
      const statuses = answers.map(({ status }) => status)
      assert.equal(statuses.filter((status) => status < 300).length, 1, statuses.join())
      assert.ok(
        statuses.every((status) => [200, 204, 400, 401].includes(status)),
        statuses.join(),
      )
      const left = await activeAdmins()
      assert.equal(left.length, 1)
      if (left[0] === rival.id) last = rival
    })
  }

  it('is one of two who step down at once', async () => {
    const rival = await addAdmin()
    const answers = await Promise.all(
      [last, rival].map(({ client, id }) => client.put(`/api/users/${id}`, { roles: ['User'] })),
    )
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400])
    assert.equal((await activeAdmins()).length, 1)
  })

  async function addAdmin(): Promise<Admin> {
    const userName = uniqueName('admin')
    const { body } = await last.client.post('/api/users', person(userName, { roles: ['Admin'] }))
    const { client, accessToken } = await service.signIn(userName)
    return { id: body.id, client: other?.anonymous.withToken(accessToken) ?? client }
  }

  async function activeAdmins(): Promise<string[]> {
    const sql = "SELECT id FROM account WHERE tenant_id = 'default' AND is_active AND roles LIKE '%Admin%'"
    return (await inspect(service.config.databaseUrl, sql)).map(({ id }) => String(id))
  }
})
