import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { pino } from 'pino'
import { intervalJobsOf } from '../../src/core/jobs.ts'
import { version } from '../../src/database/version.ts'
import { createService } from '../../src/service/service.ts'
import { TestClock } from '../support/clock.ts'
import { onEachDatabase } from '../support/databases.ts'
import { startOther } from '../support/instance.ts'
import { startService, type TestService, usualOptions } from '../support/service.ts'

interface Listed {
  id: string
  processId: number
  version: string
  startedAt: string
  lastSeenAt: string
  isAlive: boolean
  isAnswering: boolean
  clockDifferenceMs: number | null
  sharesFiles: boolean | null
}

onEachDatabase('The list of instances', (database) => {
  const clock = new TestClock()
  let service: TestService
  before(async () => {
    service = await startService(database, {}, { clock: clock.now })
  })
  after(() => service.stop())

  const list = async (): Promise<Listed[]> => {
    const { status, body } = await service.host.get('/api/instances')
    assert.equal(status, 200)
    return body
  }

  it('has the instance that answers, also before its first report', async () => {
    const [own, ...others] = await list()
    assert.ok(own)
    assert.deepEqual(others, [])
    assert.deepEqual([own.processId, own.version], [process.pid, version])
    assert.deepEqual([own.isAlive, own.isAnswering], [true, true])
    assert.ok(own.startedAt <= own.lastSeenAt)
    assert.equal(own.clockDifferenceMs === null, database === 'sqlite')
  })

  it('has the others that have reported, and tells which of them are silent since', async () => {
    if (database === 'sqlite') return // one process serves
    const other = await startOther(service, { clock: clock.now })
    await report(other)
    await report(service)
    const found = await list()
    const { body: past } = await service.host.get('/api/figures/history')
    const answering = found.find(({ isAnswering }) => isAnswering)
    assert.deepEqual([past.aliveInstances, past.instanceId], [2, answering?.id])
    assert.deepEqual(
      found.map(({ isAlive, isAnswering }) => [isAlive, isAnswering]),
      [
        [true, true],
        [true, false],
      ],
    )
    await other.stop()
    clock.advance({ seconds: 31 })
    assert.deepEqual(
      (await list()).map(({ isAlive }) => isAlive),
      [true, true],
      'times are those of the database, whose clock has not advanced',
    )
    const { catalogueDatabase } = (await service.service.operator()).shared
    const age = async (seconds: number) => {
      const moment = new Date(Date.now() - seconds * 1000).toISOString()
      const statement = `UPDATE instance SET seen_at = '${moment}' WHERE id = '${found[1]?.id}'`
      await catalogueDatabase.transaction((transaction) => transaction.run(statement, [], false))
    }
    await age(40)
    assert.deepEqual(
      (await list()).map(({ isAlive }) => isAlive),
      [true, false],
    )
    await age(3700)
    await report(service)
    assert.equal((await list()).length, 1)
  })

  it('tells of instances that keep files in different places, in the log as well', async () => {
    if (database === 'sqlite') return // one process serves
    const beside = await startOther(service, { clock: clock.now })
    for (const each of [service, beside]) await report(each)
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) })
    const dataDir = mkdtempSync(join(tmpdir(), 'tenantry-other-'))
    const apart = await createService(
      { ...service.config, dataDir },
      { ...usualOptions, clock: clock.now, log },
    )
    await apart.start()
    try {
      for (const each of [{ service: apart }, { service: apart }, service]) await report(each)
      const shares = new Map((await list()).map(({ id, sharesFiles }) => [id, sharesFiles]))
      assert.deepEqual([...shares.values()].toSorted(), [false, true, true])
      const warnings = lines.filter((line) => line.includes('keep files in different places'))
      assert.equal(warnings.length, 1, 'once for the same instances')
      assert.match(warnings[0] ?? '', new RegExp(`"processId":${process.pid}`))
    } finally {
      await apart.stop()
      await beside.stop()
      rmSync(dataDir, { recursive: true, force: true })
    }
  })

  it('shows how far the clock of an instance is ahead of that of PostgreSQL', async () => {
    clock.advance({ seconds: 300 })
    const [own] = await list()
    if (database === 'sqlite') assert.equal(own?.clockDifferenceMs, null)
    else assert.ok((own?.clockDifferenceMs ?? 0) >= 290_000)
  })

  it('forgets on SQLite the instance of the start before', async () => {
    if (database !== 'sqlite') return // others may serve
    const { catalogueDatabase } = (await service.service.operator()).shared
    const former = `INSERT INTO instance SELECT '00000000-0000-7000-8000-000000000000', 'former', 1, '0', '0',
      started_at, seen_at, NULL, NULL FROM instance`
    await report(service)
    await catalogueDatabase.transaction((transaction) => transaction.run(former, [], false))
    assert.equal((await list()).length, 2)
    await report(service)
    assert.equal((await list()).length, 1)
  })

  it('goes with the migrations of the database', async () => {
    const { status, body } = await service.host.get('/api/migrations')
    assert.equal(status, 200)
    const names: string[] = body.map(({ name }: { name: string }) => name)
    assert.ok(names.includes('instance-0001'))
    assert.ok(body.every(({ isKnown }: { isKnown: boolean }) => isKnown))
    const moments = body.map(({ appliedAt }: { appliedAt: string }) => appliedAt)
    assert.deepEqual(moments, moments.toSorted().toReversed())
    for (const moment of moments) assert.match(moment, /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/)
  })

  it('is for the host alone', async () => {
    const { admin } = await service.newTenant()
    for (const path of ['/api/instances', '/api/migrations']) {
      const { status, body } = await admin.get(path)
      assert.deepEqual([status, body.message], [403, 'This requires the permission operation:read.'])
    }
  })
})

async function report({ service }: Pick<TestService, 'service'>): Promise<void> {
  const found = intervalJobsOf(service.features).find(({ name }) => name === 'report the instance')
  await found?.run(await service.operator(), new AbortController().signal)
}
