/** A role that may have fewer connections than the service needs: the cause is said, once, and to the host. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { pino } from 'pino'
import { queryServer } from '../../support/database/query-server.ts'
import { roleWith, type TestRole } from '../../support/database/role.ts'
import { postgresServerUrl } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { startService, type TestService } from '../../support/service.ts'

const limit = 3

describe('A role with too few connections', () => {
  let role: TestRole
  let service: TestService
  const lines: Record<string, unknown>[] = []
  const unready = () => lines.filter(({ msg }) => msg === 'not ready')
  before(async () => {
    role = await roleWith(`CONNECTION LIMIT ${limit}`, 'ALL')
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
    service = await startService('postgres', { DATABASE_URL: role.url, DATABASE_CONNECTIONS: '2' }, { log })
  })
  after(async () => {
    await service.stop()
    await role.drop()
  })

  it('is not ready, logs the cause once, tells the host, and is ready when it may have more', async () => {
    const ready = async () => (await service.anonymous.get('/health/ready')).status
    // The check has a connection of its own: it comes when those for changes and for statements are open.
    const counting = `SELECT count(*) AS count FROM pg_stat_activity WHERE usename = '${role.name}'`
    await eventually('the connections', soonMs, async () => {
      await Promise.all(Array.from({ length: 10 }, () => service.host.get('/api/products')))
      const [open] = await queryServer<{ count: string }>(await postgresServerUrl(), counting)
      return Number(open?.count) === limit
    })
    for (let count = 0; count < 5; count++) assert.equal(await ready(), 503)
    const [{ reason = '' } = {}, ...more] = unready()
    assert.match(String(reason), /too many connections for role.*fewer connections than the instances need/)
    assert.deepEqual(more, [])
    const figures = await service.host.get('/api/figures')
    assert.equal(figures.body.notReady, reason, figures.text)
    assert.doesNotMatch((await service.anonymous.get('/health/ready')).text, /connections/)
    await queryServer(await postgresServerUrl(), `ALTER ROLE ${role.name} CONNECTION LIMIT 20`)
    await eventually('it is ready', soonMs, async () => (await ready()) === 200)
    assert.equal((await service.host.get('/api/figures')).body.notReady, null)
    assert.equal(lines.filter(({ msg }) => msg === 'ready again').length, 1)
  })
})
