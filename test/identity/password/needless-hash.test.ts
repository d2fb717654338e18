/** A hash is the dearest thing that can be asked for: what is refused anyway is refused before. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { newId } from '../../../src/core/id.ts'
import type { Answer } from '../../support/client.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { person, type TestTenant, uniqueName } from '../../support/service.ts'
import { countHashes } from '../hash-count.ts'
import { type IdentityService, sharedIdentityService } from '../identity-service.ts'

onEitherDatabase('No password is hashed', (database) => {
  const subdomain = uniqueName('acme')
  let service: IdentityService
  let tenant: TestTenant
  before(async () => {
    service = await sharedIdentityService(database)
    tenant = await service.newTenant({ subdomain })
  })
  after(() => service.stop())

  const anotherPassword = { password: 'Other@456' }

  it('for a user who does not exist, or is another tenant’s', async () => {
    const { body: foreign } = await service.host.get('/api/auth/me')
    for (const id of [newId(), foreign.id]) {
      const answer = await refused(() => tenant.admin.put(`/api/users/${id}`, anotherPassword))
      assert.equal(answer.status, 404)
    }
  })

  it('for a user whose name or email is taken', async () => {
    const asBoss = [person('BOSS'), person('other', { email: 'Boss@Example.com' })]
    const words = [/^userName: is taken/, /^email: is taken/]
    for (const [index, input] of asBoss.entries()) {
      const made = await refused(() => tenant.admin.post('/api/users', input))
      assert.equal(made.status, 400)
      assert.match(made.body.message, words[index] ?? /^$/)
      const { body: worker } = await tenant.admin.get('/api/users/by-username/worker')
      const changed = await refused(() => tenant.admin.put(`/api/users/${worker.id}`, input))
      assert.equal(changed.status, 400)
      assert.match(changed.body.message, words[index] ?? /^$/)
    }
  })

  it('twice for the same command', async () => {
    const key = { 'idempotency-key': uniqueName('key') }
    const commands: [string, Record<string, unknown>][] = [
      ['/api/users', person(uniqueName('user'))],
      ['/api/tenants', { id: uniqueName('tenant'), name: 'Shop', admin: person('boss') }],
    ]
    for (const [path, body] of commands) {
      let made: Answer | null = null
      const hashes = await countHashes(async () => {
        made = await service.host.post(path, body, key)
      })
      assert.equal(hashes, 1)
      const again = await refused(() => service.host.post(path, body, key))
      assert.deepEqual([again.status, again.text], [201, (made as Answer | null)?.text])
      assert.equal(again.headers.get('idempotency-replayed'), 'true')
      Object.assign(key, { 'idempotency-key': uniqueName('key') })
    }
  })

  it('for a tenant whose id or subdomain is taken', async () => {
    const admin = person('boss')
    const inputs = [
      { id: tenant.id.toUpperCase(), name: 'Shop', admin },
      { id: uniqueName('tenant'), name: 'Shop', subdomain: subdomain.toUpperCase(), admin },
    ]
    const words = [/^id: is taken/, /^subdomain: is taken/]
    for (const [index, input] of inputs.entries()) {
      const answer = await refused(() => service.host.post('/api/tenants', input))
      assert.equal(answer.status, 400)
      assert.match(answer.body.message, words[index] ?? /^$/)
    }
  })

  it('for a first administrator when there are users', async () => {
    const answer = await refused(() => service.anonymous.post('/api/init/first-admin', person('second')))
    assert.equal(answer.status, 400)
  })

  it('that is too simple', async () => {
    const simple = { password: 'Admin1234' }
    const { body: worker } = await tenant.admin.get('/api/users/by-username/worker')
    const answers = [
      await refused(() => tenant.admin.post('/api/users', person(uniqueName('user'), simple))),
      await refused(() => tenant.admin.put(`/api/users/${worker.id}`, simple)),
      await refused(() =>
        tenant.user.put('/api/users/me/password', { currentPassword: 'x', newPassword: 'Admin1234' }),
      ),
    ]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [400, 400, 400],
    )
  })

  it('twice for a user who keeps the name', async () => {
    const { body: worker } = await tenant.admin.get('/api/users/by-username/worker')
    const input = { ...anotherPassword, userName: 'Worker', email: worker.email }
    let answer: Answer | null = null
    const hashes = await countHashes(async () => {
      answer = await tenant.admin.put(`/api/users/${worker.id}`, input)
    })
    assert.deepEqual([(answer as Answer | null)?.status, hashes], [200, 1])
  })

  async function refused(ask: () => Promise<Answer>): Promise<Answer> {
    let answer: Answer | null = null
    const hashes = await countHashes(async () => {
      answer = await ask()
    })
    assert.equal(hashes, 0)
    return answer ?? assert.fail()
  }
})
