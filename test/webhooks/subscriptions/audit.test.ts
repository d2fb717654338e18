/** The audit of subscriptions: registered, changed, rotated, deleted. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, it } from 'node:test'
import { inspect } from '../../support/database/inspect.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { walkPages } from '../../support/pages.ts'
import { startService, type TestService, type TestTenant, uniqueName } from '../../support/service.ts'
import { changeSubscription, path, register } from './registration.ts'

const actions = [
  'subscription.deleted',
  'subscription.secretRotated',
  'subscription.updated',
  'subscription.created',
]

onEitherDatabase('The audit of subscriptions', (database) => {
  let service: TestService
  const ownDatabase = () => ({ connectionString: `sqlite:${randomBytes(6).toString('hex')}.db` })
  before(async () => {
    service = await startService(database)
  })
  after(() => service.stop())

  /** Does each thing once. @returns a word that no record may hold */
  const act = async ({ user }: TestTenant): Promise<string> => {
    const hidden = uniqueName('hidden')
    const url = `https://receiver.example.com/${hidden}?token=${hidden}`
    const { id } = await register(user, { url, secret: hidden, headers: { a: hidden } })
    await changeSubscription(user, id, { isActive: false, headers: { b: hidden } })
    await user.post(`${path}/${id}/rotate-secret`, { secret: `${hidden}2`, overlapHours: 3 })
    await user.delete(`${path}/${id}`)
    return hidden
  }

  const kinds = { 'with the shared database': () => ({}), 'with a database of its own': ownDatabase }
  for (const [kind, members] of Object.entries(kinds)) {
    it(`is shown to the administrator of a tenant ${kind}, and holds no secret`, async () => {
      const tenant = await service.newTenant(members())
      const hidden = await act(tenant)
      const { text, body } = await tenant.admin.get('/api/audit?limit=4')
      assert.deepEqual(
        body.map(({ action }: { action: string }) => action),
        actions,
      )
      const [deleted, rotated, updated, created] = body
      assert.deepEqual(created.detail, {
        receiver: 'https://receiver.example.com',
        events: ['order.created'],
      })
      assert.deepEqual(updated.detail.changed.toSorted(), ['headers', 'isActive'])
      assert.deepEqual(rotated.detail, { overlapHours: 3 })
      for (const record of [deleted, rotated, updated, created]) {
        assert.deepEqual([record.actorName, record.subjectType], ['worker', 'subscription'])
        assert.deepEqual([record.tenantId, record.subjectId], [tenant.id, created.subjectId])
      }
      assert.ok(!text.includes(hidden))
    })
  }

  it('is one list, in one order, with what is recorded in the catalogue', async () => {
    const tenant = await service.newTenant(ownDatabase())
    await act(tenant)
    await tenant.admin.post('/api/users', {
      userName: 'late',
      email: 'late@example.com',
      password: 'Admin@123',
      firstName: 'A',
      lastName: 'B',
    })
    await act(tenant)
    const whole = (await tenant.admin.get('/api/audit?limit=200')).body
    const ids = whole.map(({ id }: { id: string }) => id)
    assert.deepEqual(ids, ids.toSorted().reverse())
    assert.deepEqual(
      whole.slice(0, 9).map(({ action }: { action: string }) => action),
      [...actions, 'user.created', ...actions],
    )
    const pages = await walkPages(tenant.admin, '/api/audit?limit=3')
    assert.deepEqual(
      pages.flatMap(({ body }) => body),
      whole,
    )
    const rotated = await tenant.admin.get('/api/audit?action=subscription.secretRotated')
    assert.equal(rotated.body.length, 2)
    const bySubject = await tenant.admin.get(`/api/audit?subjectId=${rotated.body[0].subjectId}`)
    assert.equal(bySubject.body.length, 4)
  })

  it("of a tenant with a database of its own is in that database, and in nobody else's list", async () => {
    const tenant = await service.newTenant(ownDatabase())
    const other = await service.newTenant()
    await act(tenant)
    const sql = `SELECT id FROM audit WHERE tenant_id = '${tenant.id}' AND subject_type = 'subscription'`
    assert.deepEqual(await inspect(service.config.databaseUrl, sql), [])
    assert.equal((await tenant.admin.get('/api/audit?action=subscription.created')).body.length, 1)
    assert.ok(!(await other.admin.get('/api/audit?limit=200')).text.includes('subscription.'))
    assert.ok(!(await service.host.get('/api/audit?limit=200')).text.includes('subscription.'))
  })
})
