/** `docs/access-recipes.md`: it shows the files of `examples/access`, and each recipe does what the page says. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import '../../examples/access/access.test.ts'
import { remark } from '../../examples/access/hierarchy.ts'
import { article } from '../../examples/access/published.ts'
import { salary } from '../../examples/access/shown-by-some.ts'
import { createTestService, type TestCaller, type TestService, type TestTenant } from '../../src/testing.ts'
import { onEitherDatabase, postgresServerUrl } from '../support/databases.ts'
import { fencedBlocks, readDocument, root } from './markdown.ts'

const folder = join(root, 'examples/access')

describe('The page of recipes for access', () => {
  it('shows the files as they are, and all of them', () => {
    const shown = fencedBlocks(readDocument('docs/access-recipes.md')).map(({ text }) => {
      const [, name = '', rest = ''] = /^\/\/ (\S+)\n([\s\S]*)$/.exec(text) ?? []
      assert.equal(rest, published(name), name)
      return name
    })
    const files = globSync('*.ts', { cwd: folder }).filter((name) => name !== 'tenantry.config.ts')
    assert.deepEqual(shown.toSorted(), files.toSorted())
  })
})

/** The file of an example as it is in an application. */
function published(name: string): string {
  const text = readFileSync(join(folder, name), 'utf8')
  return text.replace('../../src/index.ts', 'tenantry').replace('../../src/testing.ts', 'tenantry/testing')
}

onEitherDatabase('The recipes for access', (database) => {
  let service: TestService
  let tenant: TestTenant
  let ada: TestCaller
  let bob: TestCaller
  let eve: TestCaller
  before(async () => {
    service = await createTestService({
      config: new URL('../../examples/access/tenantry.config.ts', import.meta.url),
      ...(database === 'postgres' && { databaseUrl: await postgresServerUrl() }),
    })
    tenant = await service.newTenant()
    ada = await tenant.newUser()
    bob = await tenant.newUser()
    eve = await tenant.newUser()
  })
  after(() => service.stop())

  const made = async (caller: TestCaller, path: string, body: object): Promise<string> => {
    const reply = await caller.post(path, body)
    assert.equal(reply.status, 201, JSON.stringify(reply.body))
    return reply.body.id
  }
  const statuses = (path: string, ...callers: TestCaller[]): Promise<number[]> =>
    Promise.all(callers.map(async (caller) => (await caller.get(path)).status))

  it('keep own rows for their owner', async () => {
    const path = `/api/memos/${await made(ada, '/api/memos', { text: 'Mine' })}`
    assert.deepEqual(await statuses(path, ada, bob, tenant.admin), [200, 404, 200])
    assert.equal((await bob.delete(path)).status, 404)
    assert.equal((await ada.patch(path, { ownerId: bob.userId })).body.ownerId, ada.userId)
  })

  it('show a crew its shifts, from the next request after somebody joins', async () => {
    const crewId = await made(tenant.admin, '/api/crews', { name: 'night' })
    const path = `/api/shifts/${await made(tenant.admin, '/api/shifts', { title: 'First', crewId })}`
    assert.deepEqual(await statuses(path, ada, bob), [404, 404])
    const membership = await made(tenant.admin, '/api/crew-members', { crewId, memberId: ada.userId })
    assert.deepEqual(await statuses(path, ada, bob), [200, 404])
    assert.equal((await bob.post('/api/shifts', { title: 'Second', crewId })).status, 403)
    assert.equal((await tenant.admin.delete(`/api/crew-members/${membership}`)).status, 204)
    assert.deepEqual(await statuses(path, ada, bob), [404, 404])
  })

  it('reach a remark like its task, and that like its project', async () => {
    const projectId = await made(ada, '/api/projects', { name: 'Bridge', leadId: ada.userId })
    const taskId = await made(ada, '/api/tasks', { projectId, title: 'Plan' })
    const init = { method: 'POST', body: '%PDF-1.4\n%%EOF\n', headers: { 'content-type': 'application/pdf' } }
    const { id: paperId } = (await (await ada.fetch('/api/files?name=a.pdf', init)).json()) as { id: string }
    const id = await made(ada, '/api/remarks', { taskId, text: 'Soon', paperId })
    assert.deepEqual(await statuses(`/api/remarks/${id}`, ada, bob), [200, 404])
    assert.deepEqual(await statuses(`/api/files/${paperId}`, ada, bob), [200, 404])
    const ofBob = tenant.as(bob, (context) => remark.create(context, { taskId, text: 'Mine' }))
    await assert.rejects(ofBob, /taskId: names no task/)
    assert.equal((await tenant.admin.patch(`/api/projects/${projectId}`, { leadId: bob.userId })).status, 200)
    assert.deepEqual(await statuses(`/api/files/${paperId}`, ada, bob), [404, 200])
  })

  it('show everybody what is published, and drafts to their author', async () => {
    const path = `/api/articles/${await made(ada, '/api/articles', { title: 'News', authorId: ada.userId })}`
    const stranger = async () => (await service.anonymous.get(path, { 'x-tenant-id': tenant.id })).status
    assert.deepEqual([...(await statuses(path, ada, bob)), await stranger()], [200, 404, 404])
    assert.equal((await ada.post(`${path}/publish`)).status, 200)
    assert.deepEqual([...(await statuses(path, ada, bob)), await stranger()], [200, 200, 200])
    assert.equal((await bob.patch(path, { title: 'Mine' })).status, 403)
    const seen = await tenant.as(service.anonymous, (context) => article.findAll(context, [path.slice(-36)]))
    assert.equal(seen.size, 1)
  })

  it('hide secret fields from who has no permission', async () => {
    await tenant.admin.post('/api/roles', { name: 'Vault', permissions: ['device:read', 'device:pin'] })
    const vault = await tenant.newUser({ roles: ['Vault'] })
    const id = await made(tenant.admin, '/api/devices', { name: 'Safe', serial: 'A1', pin: '1234' })
    const path = `/api/devices/${id}`
    let reply = (await ada.get(path)).body
    assert.deepEqual(['pin' in reply, 'value' in reply], [false, false])
    reply = (await vault.get(path)).body
    assert.deepEqual([reply.pin, 'value' in reply], ['1234', false])
    assert.equal((await ada.get('/api/devices?pin=1234')).status, 403)
    assert.equal((await tenant.admin.patch(path, { value: 3 })).status, 403)
    assert.equal((await tenant.admin.patch(path, { serial: 'B2' })).status, 400)
  })

  it('let the approver alone approve', async () => {
    const expense = { amount: 12, spenderId: ada.userId, approverId: bob.userId }
    const expenseId = await made(ada, '/api/expenses', expense)
    const path = `/api/expenses/${expenseId}`
    assert.equal((await ada.patch(path, { amount: 1200 })).status, 403)
    assert.equal((await bob.patch(path, { amount: 1 })).status, 403)
    assert.equal((await ada.post(`${path}/approve`)).status, 403)
    assert.equal((await eve.post(`${path}/approve`)).status, 404)
    assert.equal((await bob.post(`${path}/approve`)).status, 200)
    assert.equal((await ada.get(path)).body.state, 'approved')
  })

  it('show a salary to the person and the manager', async () => {
    const { admin } = tenant
    const person = { name: 'Ada', personId: ada.userId, managerId: bob.userId }
    const employeeId = await made(admin, '/api/employees', person)
    const salaryId = await made(admin, '/api/salaries', { employeeId, monthly: 3000 })
    const payslip = await made(admin, '/api/payslips', { salaryId, month: '2026-01' })
    assert.deepEqual(await statuses(`/api/employees/${employeeId}`, ada, bob, eve), [200, 200, 200])
    assert.deepEqual(await statuses(`/api/salaries/${salaryId}`, ada, bob, eve), [200, 200, 404])
    assert.deepEqual(await statuses(`/api/payslips/${payslip}`, ada, bob, eve), [200, 200, 404])
    assert.equal(await tenant.as(eve, (context) => salary.find(context, salaryId)), null)
  })
})
