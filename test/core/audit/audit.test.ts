import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../../support/databases.ts'
import { person, startService, type TestService, type TestTenant } from '../../support/service.ts'

onEitherDatabase('The audit', (database) => {
  let service: TestService
  let tenant: TestTenant
  let boss: { id: string; userName: string }
  before(async () => {
    service = await startService(database)
    tenant = await service.newTenant()
    boss = (await tenant.admin.get('/api/auth/me')).body
  })
  after(() => service.stop())

  it('tells who did what to whom, from where, and in which request', async () => {
    const headers = { 'x-request-id': 'my-request', 'x-forwarded-for': '203.0.113.7' }
    const made = await tenant.admin.post('/api/users', person('ada'), headers)
    const [record] = await latest(1)
    const { id, createdAt, detail } = record
    assert.equal(createdAt, new Date(createdAt).toISOString())
    assert.deepEqual(record, {
      id,
      tenantId: tenant.id,
      actorId: boss.id,
      actorName: 'boss',
      impersonatorId: null,
      impersonatorName: null,
      action: 'user.created',
      subjectType: 'user',
      subjectId: made.body.id,
      detail,
      clientAddress: '203.0.113.7',
      requestId: 'my-request',
      createdAt,
    })
  })

  it('has the changes of users', async () => {
    const { body } = await tenant.admin.post('/api/users', person('eve'))
    await tenant.admin.put(`/api/users/${body.id}`, { firstName: 'Eva', password: 'Other@456' })
    const own = await service.signIn('eve', tenant.id, 'Other@456')
    const change = { currentPassword: 'Other@456', newPassword: 'Third@789' }
    await own.client.put('/api/users/me/password', change)
    await tenant.admin.delete(`/api/users/${body.id}`)
    const actions = (await latest(10, `&subjectId=${body.id}`)).map(({ action }) => action)
    assert.deepEqual(actions, ['user.deleted', 'user.passwordChanged', 'user.updated', 'user.created'])
    const [deleted, changed, updated] = await latest(3, `&subjectId=${body.id}`)
    assert.deepEqual([deleted?.actorName, changed?.actorName], ['boss', 'eve'])
    assert.deepEqual(changedIn(updated?.detail), ['firstName', 'password'])
  })

  it('has good and bad sign-ins, and their ends', async () => {
    const { client } = await service.signIn('worker', tenant.id)
    await client.post('/api/auth/logout')
    await assert.rejects(service.signIn('worker', tenant.id, 'Wrong@123'))
    await assert.rejects(service.signIn('stranger', tenant.id))
    const found = (await latest(4)).map(({ action, actorName }) => [action, actorName])
    assert.deepEqual(found, [
      ['session.refused', null],
      ['session.refused', 'worker'],
      ['session.ended', 'worker'],
      ['session.started', 'worker'],
    ])
    assert.match((await latest(1))[0]?.clientAddress ?? '', /^10\./)
  })

  it('has the changes of the tenant, made by the host', async () => {
    const path = `/api/tenants/${tenant.id}`
    await service.host.put(path, { plan: 'pro', connectionString: 'sqlite:moved.db' })
    await service.host.put(path, { connectionString: null })
    await service.host.delete(path)
    await service.host.put(path, { isActive: true })
    const [{ client: admin }, { client: user }] = [
      await service.signIn('boss', tenant.id),
      await service.signIn('worker', tenant.id),
    ]
    tenant = { ...tenant, admin, user }
    const found = await latest(10, `&subjectId=${tenant.id}`)
    const updated = 'tenant.updated'
    assert.deepEqual(
      found.map(({ action }) => action),
      [updated, 'tenant.deactivated', updated, updated, 'tenant.created'],
    )
    assert.deepEqual(new Set(found.map(({ actorName }) => actorName)), new Set(['admin']))
    assert.deepEqual(changedIn(found[3]?.detail), ['connectionString', 'plan'])
  })

  it('has nothing of a change that fails', async () => {
    const unchanged = await latest(1)
    const { body } = await tenant.admin.get('/api/users/by-username/worker')
    const answers = [
      await tenant.admin.post('/api/users', person('ada')),
      await tenant.admin.post('/api/users', person('new', { email: 'ada@example.com' })),
      await tenant.admin.put(`/api/users/${body.id}`, { userName: 'ada', isActive: false }),
      await service.host.put(`/api/tenants/${tenant.id}`, { isActive: true, connectionString: 'my://x' }),
      await tenant.admin.delete(`/api/tenants/${tenant.id}`),
    ]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [400, 400, 400, 400, 403],
    )
    assert.deepEqual(await latest(1), unchanged)
    assert.equal((await tenant.user.get('/api/auth/me')).status, 200)
  })

  it('has refused changes of the own password', async () => {
    const { client } = await service.signIn('worker', tenant.id)
    await client.put('/api/users/me/password', { currentPassword: 'Wrong@123', newPassword: 'Other@456' })
    const [{ action, actorName }] = await latest(1)
    assert.deepEqual([action, actorName], ['user.passwordRefused', 'worker'])
  })

  it('is for administrators, each of the own tenant', async () => {
    assert.equal((await service.anonymous.get('/api/audit')).status, 401)
    assert.equal((await tenant.user.get('/api/audit')).status, 403)
    const other = await service.newTenant()
    for (const client of [tenant.admin, other.admin, service.host]) {
      const { body } = await client.get('/api/audit?limit=200')
      const ownId = (await client.get('/api/auth/me')).body.tenantId
      assert.ok(body.length > 0)
      assert.deepEqual(new Set(body.map(({ tenantId }: Audited) => tenantId)), new Set([ownId]))
    }
  })

  interface Audited {
    [member: string]: string | null | Record<string, unknown>
    id: string
    action: string
    actorName: string | null
    clientAddress: string | null
    createdAt: string
    detail: Record<string, unknown>
  }

  /** Newest first. */
  async function latest(limit: number, filter = ''): Promise<[Audited, ...Audited[]]> {
    const { status, body } = await tenant.admin.get(`/api/audit?limit=${limit}${filter}`)
    assert.equal(status, 200)
    return body
  }
})

function changedIn(detail: Record<string, unknown> | undefined): string[] {
  return [detail?.['changed']].flat().map(String).toSorted()
}
