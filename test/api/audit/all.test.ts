import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, it } from 'node:test'
import type { Client } from '../../support/client.ts'
import { createPostgresDatabase, onEachDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { person, startService, type TestService, type TestTenant } from '../../support/service.ts'

interface Audited {
  id: string
  tenantId: string
  action: string
  subjectId: string
}

const permission = 'audit:read-all'

onEachDatabase('The audit of all tenants', (database) => {
  let service: TestService
  let one: TestTenant
  let other: TestTenant
  let drop = async (): Promise<void> => undefined
  let connectionString = `sqlite:${randomBytes(6).toString('hex')}.db`
  before(async () => {
    service = await startService(database)
    if (database === 'postgres') {
      const own = await createPostgresDatabase()
      connectionString = own.url
      drop = own.drop
    }
    one = await service.newTenant()
    other = await service.newTenant({ connectionString })
  })
  after(async () => {
    await service.stop()
    await drop()
  })

  const subscribe = async ({ admin }: TestTenant): Promise<string> => {
    const created = await admin.post('/api/webhooks/subscriptions', {
      url: 'http://127.0.0.1:9/',
      events: ['*'],
    })
    assert.equal(created.status, 201)
    return created.body.id
  }

  it('shows the records of every tenant to the host, newest first, in pages', async () => {
    const { id: first } = (await one.admin.get('/api/auth/me')).body
    const { id: second } = (await other.admin.get('/api/auth/me')).body
    const found = await walk('/api/audit/all?limit=3&action=user.created')
    const created = new Map(found.map((record) => [record.subjectId, record.tenantId]))
    assert.equal(created.get(first), one.id)
    assert.equal(created.get(second), other.id)
    const ids = found.map(({ id }) => id)
    assert.deepEqual(ids, ids.toSorted().toReversed())
    assert.equal(new Set(ids).size, ids.length)
    const bySubject = await walk(`/api/audit/all?subjectId=${second}`)
    assert.ok(bySubject.length > 0)
    assert.ok(bySubject.every(({ tenantId }) => tenantId === other.id))
    const byActor = await walk(`/api/audit/all?actorId=${first.toUpperCase()}`)
    assert.ok(byActor.every(({ tenantId }) => tenantId === one.id))
  })

  it('of one tenant is what this tenant sees itself, also in its own database', async () => {
    for (const tenant of [one, other]) {
      const subscription = await subscribe(tenant)
      const { body: own } = await tenant.admin.get('/api/audit?limit=200')
      assert.deepEqual(await walk(`/api/audit/all?tenantId=${tenant.id.toUpperCase()}&limit=2`), own)
      assert.ok(own.some(({ subjectId }: Audited) => subjectId === subscription))
    }
    assert.deepEqual(await walk('/api/audit/all?tenantId=nobody'), [])
    assert.deepEqual(await walk('/api/audit/all?tenantId=no%20body'), [])
  })

  it('is counted for one tenant, with the records in its own database, and not for all', async () => {
    for (const tenant of [one, other]) {
      const subscription = await subscribe(tenant)
      const { id: adminId } = (await tenant.admin.get('/api/auth/me')).body
      for (const filter of ['', `&subjectId=${subscription}`, `&actorId=${adminId.toUpperCase()}`]) {
        const found = await walk(`/api/audit/all?tenantId=${tenant.id}${filter}`)
        const counted = await service.host.get(
          `/api/audit/all?tenantId=${tenant.id}${filter}&limit=1&count=true`,
        )
        const own = await tenant.admin.get(`/api/audit?count=true&fields=action,id${filter}`)
        for (const { headers } of [counted, own])
          assert.equal(headers.get('x-total-count'), `${found.length}`, filter)
        assert.deepEqual(own.body[0], { id: found[0]?.id, action: found[0]?.action })
      }
    }
    const none = await service.host.get('/api/audit/all?tenantId=nobody&count=true')
    assert.equal(none.headers.get('x-total-count'), '0')
    const all = await service.host.get('/api/audit/all?count=true')
    assertError(all, 400, 'count: needs tenantId: the records of all tenants are not counted')
  })

  it('leaves records in the own database of a tenant to the filter of this tenant', async () => {
    const shared = await subscribe(one)
    const own = await subscribe(other)
    const found = (await walk('/api/audit/all?action=subscription.created')).map(({ subjectId }) => subjectId)
    assert.deepEqual([found.includes(shared), found.includes(own)], [true, false])
  })

  it('is for nobody outside of the host, whatever a role or a key is said to grant', async () => {
    for (const caller of [one.admin, one.user]) await refuses(caller)
    const { body: permissions } = await one.admin.get('/api/permissions')
    assert.ok(!permissions.some(({ name }: { name: string }) => name === permission))
    assert.ok(!(await one.admin.get('/api/auth/me')).body.permissions.includes(permission))
    const { body: admin } = await one.admin.get('/api/roles/Admin')
    assert.ok(!admin.permissions.includes(permission))
    const role = { name: 'Auditor', permissions: [permission] }
    for (const path of ['/api/roles', '/api/api-keys']) {
      const refused = await one.admin.post(path, role)
      assert.equal(refused.status, 400)
      assert.match(refused.body.message, /names no permission: audit:read-all/)
    }
    // As a manipulated archive could bring it.
    await one.admin.post('/api/roles', { ...role, permissions: ['audit:read'] })
    const { catalogueDatabase } = (await service.service.operator()).shared
    const statement = `UPDATE role SET permissions = '["${permission}"]' WHERE tenant_id = '${one.id}'`
    await catalogueDatabase.transaction((transaction) => transaction.run(statement, [], false))
    const { status } = await one.admin.post('/api/users', { ...person('spy'), roles: ['Auditor'] })
    assert.equal(status, 201)
    await refuses((await service.signIn('spy', one.id)).client)
  })

  it('is for those of the host whose role grants it', async () => {
    await service.host.post('/api/roles', { name: 'Auditor', permissions: [permission] })
    await service.host.post('/api/users', { ...person('auditor'), roles: ['Auditor'] })
    await service.host.post('/api/users', person('guest'))
    const auditor = (await service.signIn('auditor')).client
    assert.equal((await auditor.get('/api/audit/all?limit=1')).body.length, 1)
    assert.equal((await auditor.get('/api/audit')).status, 403)
    await refuses((await service.signIn('guest')).client)
  })

  async function refuses(caller: Client): Promise<void> {
    for (const query of ['', `?tenantId=${other.id}`]) {
      const { status, body } = await caller.get(`/api/audit/all${query}`)
      assert.deepEqual([status, body], [403, { message: `This requires the permission ${permission}.` }])
    }
  }

  async function walk(path: string): Promise<Audited[]> {
    const found: Audited[] = []
    for (let next = path; next !== ''; ) {
      const { status, body, headers } = await service.host.get(next)
      assert.equal(status, 200)
      found.push(...body)
      next = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? ''
    }
    return found
  }
})
