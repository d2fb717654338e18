/** A tenant is moved over the API, as the command line moves it. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { pino } from 'pino'
import { foldTenantId } from '../../../src/core/tenant/tenant-id.ts'
import { moveTenant } from '../../../src/operations/move/move.ts'
import type { RowProgress } from '../../../src/operations/move/plan.ts'
import { withTenantKeyLock } from '../../../src/operations/tenant-lock.ts'
import { TestClock } from '../../support/clock.ts'
import { type FutureDatabase, futureDatabase } from '../../support/database/future-database.ts'
import { onEachDatabase, onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { startService, type TestService, type TestTenant } from '../../support/service.ts'
import { hastened } from '../served.ts'
import { findOperation, finishedOperation, type Listed } from './listed.ts'

onEitherDatabase('A tenant that is moved over the API', (database) => {
  const clock = new TestClock()
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  let service: TestService
  before(async () => {
    service = await startService(database, {}, { ...hastened, clock: clock.now, log })
  })
  after(() => service.stop())

  const move = (id: string, connectionString: string | null, members = {}) =>
    service.host.post(`/api/tenants/${id}/move`, { connectionString, removeAfterSeconds: 0, ...members })
  const find = (id: string) => findOperation(service.host, id)
  const finished = (id: string) => finishedOperation(service.host, id)
  const moved = async (tenantId: string, connectionString: string | null, members = {}): Promise<Listed> => {
    const { status, body, text } = await move(tenantId, connectionString, members)
    assert.equal(status, 202, text)
    return finished(body.id)
  }
  const databaseOf = async (id: string) => (await service.host.get(`/api/tenants/${id}/database`)).body
  const kindOf = async (id: string) => (await databaseOf(id)).kind
  const newDesk = ({ admin }: TestTenant) => admin.post('/api/products', { name: 'Desk', price: 1 })
  const run = async (statement: string) => {
    const { catalogueDatabase } = (await service.service.operator()).shared
    const ran = await catalogueDatabase.transaction((transaction) => transaction.run(statement, [], false))
    return ran.rows
  }

  it('is then served from its own database, and back from the shared one', async () => {
    const tenant = await service.newTenant()
    assert.equal((await newDesk(tenant)).status, 201)
    const { body } = await move(tenant.id.toUpperCase(), `sqlite:${tenant.id}.db`)
    assert.deepEqual([body.kind, body.tenantId, body.status], ['move', tenant.id, 'WAITING'])
    const there = await finished(body.id)
    assert.deepEqual([there.status, there.error, there.phase], ['DONE', null, 'removing'])
    assert.deepEqual(there.result, { database: 'sqlite', left: null })
    assert.equal(await kindOf(tenant.id), 'sqlite')
    assert.equal((await newDesk(tenant)).status, 201)

    const back = await moved(tenant.id, null)
    assert.deepEqual([back.status, back.error, back.phase], ['DONE', null, 'switched'])
    const file = join(service.dataDir, 'tenants', `${tenant.id.toLowerCase()}.db`)
    assert.deepEqual(back.result, { database: 'shared', left: file })
    assert.equal(await kindOf(tenant.id), 'shared')
    assert.equal((await tenant.admin.get('/api/products')).body.length, 2)
    const { body: records } = await service.host.get(`/api/audit?subjectId=${tenant.id}`)
    const requested = records.filter(({ action }: { action: string }) => action === 'operation.requested')
    assert.deepEqual(
      requested.map(({ detail }: { detail: { kind: string; to: string } }) => [detail.kind, detail.to]),
      [
        ['move', 'shared'],
        ['move', 'sqlite'],
      ],
    )
  })

  it('tells how many rows are copied, of how many', async () => {
    const tenant = await service.newTenant()
    for (let count = 0; count < 40; count++) assert.equal((await newDesk(tenant)).status, 201)
    const operator = await service.service.operator()
    const told: RowProgress[] = []
    const copied = async (progress: RowProgress) => void told.push(progress)
    const reached = (phase: string): void => {
      if (phase === 'verified') throw new Error('ended')
    }
    const target = `sqlite:${tenant.id}-rows.db`
    await assert.rejects(moveTenant(operator, tenant.id, target, { copied, reached }), /ended/)
    const [first, last] = [told[0], told.at(-1)]
    const total = first?.total ?? 0
    assert.ok(total > 40 && total < 1000, `${total}`)
    assert.deepEqual(
      [first, last],
      [
        { copied: 0, total },
        { copied: total, total },
      ],
    )
    const rest = await moved(tenant.id, target)
    assert.equal(rest.status, 'DONE', `${rest.error}`)
    const { copiedRows = 0, totalRows = 0 } = rest.progress ?? {}
    assert.ok(copiedRows >= total && copiedRows === totalRows)
    const backup = await service.host.post('/api/backups', undefined)
    assert.equal((await finished(backup.body.id)).progress, null)
  })

  it('is refused what the command line refuses, before anything is stored', async () => {
    const { id } = await service.newTenant()
    assertError(await move('nobody', 'sqlite:a.db'), 404, 'There is no such tenant.')
    assert.equal((await move('default', 'sqlite:a.db')).status, 400)
    assert.match((await move(id, null)).body.message, /^The tenant is already in /)
    for (const wrong of ['mysql://db/x', 'sqlite:../a.db', '', 7, undefined]) {
      const { status, body } = await service.host.post(`/api/tenants/${id}/move`, { connectionString: wrong })
      assert.deepEqual([status, /connectionString/.test(body.message)], [400, true], `${wrong}`)
    }
    for (const removeAfterSeconds of [-1, 1_000_000])
      assert.equal((await move(id, 'sqlite:a.db', { removeAfterSeconds })).status, 400)
    const none = await service.host.post(`/api/tenants/${id}/move/abandon`, undefined)
    assertError(none, 404, 'The tenant is not being moved.')
    assert.equal(existsSync(join(service.dataDir, 'tenants', 'a.db')), false)
  })

  it('says why a move has failed, and may replace what the database has', async () => {
    const tenant = await service.newTenant()
    await newDesk(tenant)
    const file = `sqlite:${tenant.id}-2.db`
    await service.host.put(`/api/tenants/${tenant.id}`, { connectionString: file })
    await newDesk(tenant)
    await service.host.put(`/api/tenants/${tenant.id}`, { connectionString: null })
    const refused = await moved(tenant.id, file)
    assert.deepEqual([refused.status, refused.result], ['FAILED', null])
    assert.match(refused.error ?? '', /already has rows of the tenant \(.*product.*\)/)
    assert.equal(await kindOf(tenant.id), 'shared')
    const replaced = await moved(tenant.id, file, { replace: true })
    assert.deepEqual([replaced.status, replaced.error], ['DONE', null])
    assert.equal((await tenant.admin.get('/api/products')).body.length, 1)
  })

  it('goes on when it is asked for again, goes nowhere else meanwhile, and can be abandoned', async () => {
    const tenant = await service.newTenant()
    await newDesk(tenant)
    const file = `sqlite:${tenant.id}.db`
    const leave = () => leaveAt(service, tenant.id, file)
    await leave()
    assert.equal((await databaseOf(tenant.id)).isMoving, true)
    assert.match((await move(tenant.id, 'sqlite:elsewhere.db')).body.message, /is under way/)
    const { body } = await service.host.post(`/api/tenants/${tenant.id}/move/abandon`, undefined)
    assert.deepEqual([body.kind, body.tenantId], ['abandonMove', tenant.id])
    const abandoned = await finished(body.id)
    assert.deepEqual([abandoned.status, abandoned.error, abandoned.result], ['DONE', null, {}])
    assert.equal(await kindOf(tenant.id), 'shared')
    assert.equal((await databaseOf(tenant.id)).isMoving, false)
    await leave()
    assert.equal((await moved(tenant.id, file)).status, 'DONE')
    assert.equal(await kindOf(tenant.id), 'sqlite')
  })

  it('waits for another process that moves or erases a tenant', async () => {
    const { id } = await service.newTenant()
    const operator = await service.service.operator()
    const others = { others: 'moving', allowUnknownTables: false }
    const requested = await withTenantKeyLock(operator, foldTenantId(id), {
      ...others,
      work: async () => {
        const { body } = await move(id, `sqlite:${id}.db`)
        await eventually('the refusal', soonMs, async () => (await find(body.id)).error !== null)
        return body.id as string // ids are texts
      },
    })
    const { status, error } = await find(requested)
    assert.deepEqual([status, error], ['WAITING', 'Another process is moving or erasing a tenant.'])
    clock.advance({ seconds: 6 })
    await service.service.queueWorkers.drain()
    assert.equal((await finished(requested)).status, 'DONE')
  })

  it('keeps the connection string from everybody, and no longer than the move needs it', async () => {
    const secret = 'Sw0rdf1sh'
    const tenant = await service.newTenant()
    const { body, text } = await move(
      tenant.id,
      `Host=127.0.0.1;Port=9;Database=a;Username=u;Password=${secret}`,
    )
    assert.equal(text.includes(secret), false)
    await eventually('the failure', 2 * soonMs, async () => (await find(body.id)).error !== null)
    const waiting = await find(body.id)
    assert.deepEqual([waiting.status, waiting.finishedAt], ['WAITING', null])
    const secrets = () => run('SELECT id FROM queued_job WHERE secret IS NOT NULL')
    assert.equal((await secrets()).length, 1)
    const shown = await Promise.all(
      ['/api/operations', '/api/jobs', '/api/audit', '/api/mails'].map((path) => service.host.get(path)),
    )
    assert.ok(lines.length > 0)
    const stored = [await run('SELECT * FROM operation'), await run('SELECT * FROM tenant_move')]
    const jobs = await run('SELECT data, error FROM queued_job')
    assert.equal(JSON.stringify([shown, stored, jobs, lines]).includes(secret), false)
    for (const seconds of [6, 31, 121, 601]) {
      clock.advance({ seconds })
      await service.service.queueWorkers.drain()
    }
    const failed = await finished(body.id)
    assert.deepEqual([failed.status, failed.result], ['FAILED', null])
    assert.deepEqual(await secrets(), [])
    assert.equal(await kindOf(tenant.id), 'shared')
  })
})

onEachDatabase('A tenant that is moved to another server', (database) => {
  let future: FutureDatabase
  before(async () => {
    future = await futureDatabase()
  })
  after(() => future.drop())

  it('is served from there', async () => {
    const service = await startService(database, {}, hastened)
    const { id } = await service.newTenant()
    const { body } = await service.host.post(`/api/tenants/${id}/move`, {
      connectionString: future.url,
      removeAfterSeconds: 0,
    })
    const find = async () => (await service.host.get('/api/operations')).body[0]
    await eventually('the end', 4 * soonMs, async () => (await find()).finishedAt !== null)
    const { id: found, status, error, result } = await find()
    assert.deepEqual([found, status, error], [body.id, 'DONE', null])
    assert.deepEqual(result, { database: 'postgres', left: null })
    assert.equal((await service.host.get(`/api/tenants/${id}/database`)).body.kind, 'postgres')
    await service.stop()
  })
})

/** As if the process had ended when the copy was complete. */
async function leaveAt(service: TestService, id: string, to: string): Promise<void> {
  const reached = (phase: string): void => {
    if (phase === 'verified') throw new Error('ended')
  }
  const operator = await service.service.operator()
  await assert.rejects(moveTenant(operator, id, to, { reached }), /ended/)
}
