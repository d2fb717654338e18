import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { TestClock } from '../../support/clock.ts'
import { onEachDatabase, onEitherDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { walkPages } from '../../support/pages.ts'
import { person, sharedService, startService, type TestService } from '../../support/service.ts'
import { findOperation, finishedOperation } from './listed.ts'

onEitherDatabase('An operation that is requested over the API', (database) => {
  const clock = new TestClock()
  let service: TestService
  before(async () => {
    service = await startService(database, {}, { clock: clock.now, changePropagationMs: 300 })
  })
  after(() => service.stop())

  const find = (id: string) => findOperation(service.host, id)
  const finished = (id: string) => finishedOperation(service.host, id)
  const change = async (statement: string): Promise<void> => {
    const { catalogueDatabase } = (await service.service.operator()).shared
    await catalogueDatabase.transaction((transaction) => transaction.run(statement, [], false))
  }
  it('makes a backup in the data folder, and says where and what is not in it', async () => {
    const { status, body } = await service.host.post('/api/backups', undefined)
    assert.equal(status, 202)
    assert.deepEqual([body.kind, body.tenantId, body.requestedBy], ['backup', null, 'admin'])
    const { status: end, error, result, phase } = await finished(body.id)
    assert.deepEqual([end, error, phase], ['DONE', null, 'checking'])
    const path = String(result['path'])
    assert.ok(path.startsWith(join(service.dataDir, 'backups')))
    const manifest = JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8'))
    assert.equal(manifest.databases.length, database === 'sqlite' ? 1 : 0)
    assert.equal(existsSync(join(path, 'catalogue.db')), database === 'sqlite')
    const omitted = database === 'sqlite' ? [] : [{ tenant: null, reason: 'the catalogue is on PostgreSQL' }]
    assert.deepEqual(result['notIncluded'], omitted)
    const [record] = (await service.host.get('/api/audit?action=operation.requested')).body
    assert.deepEqual([record.actorName, record.subjectType], ['admin', 'installation'])
    assert.deepEqual(record.detail, { kind: 'backup', operationId: body.id })
  })

  it('exports a tenant into a file', async () => {
    const { id } = await service.newTenant()
    const { body } = await service.host.post(`/api/tenants/${id.toUpperCase()}/export`, undefined)
    assert.equal(body.tenantId, id)
    const { status, result, error } = await finished(body.id)
    assert.deepEqual([status, error], ['DONE', null])
    const path = String(result['path'])
    assert.ok(path.startsWith(join(service.dataDir, 'exports', `${id}-`)))
    assert.ok(existsSync(path))
    assert.match(String(result['sha256']), /^[0-9a-f]{64}$/)
  })

  it('erases a deactivated tenant, when its id is given again', async () => {
    const { id } = await service.newTenant()
    const erase = (confirm: string, tenant = id) =>
      service.host.post(`/api/tenants/${tenant}/erase`, { confirm })
    assert.deepEqual((await erase(id)).body, { message: 'The tenant is active. Deactivate it first.' })
    await service.host.delete(`/api/tenants/${id}`)
    assert.equal((await erase('other')).status, 400)
    assert.equal((await erase('default', 'default')).status, 400)
    assert.equal((await erase('nobody', 'nobody')).status, 404)
    assert.equal((await service.host.get(`/api/tenants/${id}`)).status, 200)
    const { status, body } = await erase(id)
    assert.equal(status, 202)
    const done = await finished(body.id)
    assert.deepEqual([done.status, done.error], ['DONE', null])
    assert.equal((done.result['rows'] as Record<string, number>)['account'], 2)
    assert.equal((await service.host.get(`/api/tenants/${id}`)).status, 404)
    const pages = await walkPages(service.host, '/api/operations?limit=1&fields=id,kind&count=true')
    assert.deepEqual(pages[0]?.body, [{ id: done.id, kind: 'erase' }])
    assert.equal(pages[0].headers.get('x-total-count'), `${pages.length}`)
    const { body: audit } = await service.host.get(`/api/audit?subjectId=${id}`)
    const actions = audit.map(({ action }: { action: string }) => action)
    assert.ok(actions.includes('operation.requested') && actions.includes('tenant.erased'))
  })

  it('is refused while another is not finished, and may follow one whose process was killed each time', async () => {
    const { body: first } = await service.host.post('/api/backups', undefined)
    await finished(first.id)
    await change(
      `UPDATE operation SET status = 'RUNNING', finished_at = NULL, result = NULL WHERE id = '${first.id}'`,
    )
    const refused = await service.host.post('/api/backups', undefined)
    assert.deepEqual(
      [refused.status, refused.body],
      [409, { message: 'Another operation is not finished: backup.' }],
    )
    await change(
      `UPDATE queued_job SET status = 'DEAD' WHERE id = (SELECT job_id FROM operation WHERE id = '${first.id}')`,
    )
    const lost = await find(first.id)
    assert.deepEqual([lost.status, lost.error], ['FAILED', 'The service was ended during each attempt.'])
    const { status, body } = await service.host.post('/api/backups', undefined)
    assert.equal(status, 202)
    await finished(body.id)
    await change(`UPDATE operation SET finished_at = created_at, status = 'FAILED' WHERE id = '${first.id}'`)
  })

  it('is tried again after a failure, and says meanwhile why it failed', async () => {
    const obstacle = join(service.dataDir, 'backups')
    rmSync(obstacle, { recursive: true })
    writeFileSync(obstacle, '')
    const { body } = await service.host.post('/api/backups', undefined)
    await eventually('the failure', soonMs, async () => (await find(body.id)).error !== null)
    const failed = await find(body.id)
    assert.deepEqual([failed.status, failed.finishedAt], ['WAITING', null])
    assert.match(failed.error ?? '', /EEXIST|ENOTDIR/)
    rmSync(obstacle)
    clock.advance({ seconds: 6 })
    await service.service.queueWorkers.drain()
    const { status, error } = await finished(body.id)
    assert.deepEqual([status, error], ['DONE', null])
  })

  it('needs a recent sign-in', async () => {
    clock.advance({ minutes: 11 })
    for (const [path, body] of [
      ['/api/backups', undefined],
      ['/api/tenants/nobody/erase', { confirm: 'nobody' }],
      ['/api/tenants/nobody/move', { connectionString: null }],
      ['/api/tenants/nobody/move/abandon', undefined],
    ] as const) {
      const { status, headers } = await service.host.post(path, body)
      assert.deepEqual([status, headers.get('x-step-up')], [403, 'required'])
    }
  })

  it('is for the host alone', async () => {
    const { id, admin } = await service.newTenant()
    assert.equal((await admin.get('/api/operations')).status, 403)
    const ofTenant = ['export', 'erase', 'move', 'move/abandon'].map((name) => `/api/tenants/${id}/${name}`)
    for (const path of ['/api/backups', ...ofTenant]) {
      const { status, body } = await admin.post(path, { confirm: id, connectionString: null })
      assert.deepEqual([status, body.message], [403, 'This requires the permission operation:write.'])
    }
    await (await service.signIn('admin')).client.post('/api/users', person('guest'))
    const guest = (await service.signIn('guest')).client
    assert.equal((await guest.post('/api/backups', undefined)).status, 403)
  })
})

onEachDatabase('An operation', (database) => {
  it('begins once for requests that come together', async () => {
    const service = await sharedService(database)
    const { client: host } = await service.signIn('admin')
    const answers = await Promise.all(Array.from({ length: 5 }, () => host.post('/api/backups', undefined)))
    const accepted = answers.filter(({ status }) => status === 202)
    assert.ok(accepted.length >= 1)
    assert.ok(answers.every(({ status }) => status === 202 || status === 409))
    for (const { body } of accepted) assert.equal((await finishedOperation(host, body.id)).status, 'DONE')
    const paths = new Set(
      (await Promise.all(accepted.map(({ body }) => findOperation(host, body.id)))).map(
        ({ result }) => result['path'],
      ),
    )
    assert.equal(paths.size, accepted.length)
    await service.stop()
  })
})
