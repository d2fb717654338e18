/** PostgreSQL with a full disk reads and refuses writes. Triggers refuse them here, with the same SQLSTATE. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { inspect } from '../../support/database/inspect.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { startService, type TestService } from '../../support/service.ts'

const product = { name: 'Desk', price: 1 }

describe('While the disk of PostgreSQL is full', () => {
  let service: TestService
  const run = (sql: string) => inspect(service.config.databaseUrl, sql)
  const ready = async () => (await service.anonymous.get('/health/ready')).status
  const write = async () => (await service.host.post('/api/products', product)).status
  before(async () => {
    service = await startService('postgres')
    for (const kind of ['trigger', 'event_trigger']) {
      const refusal =
        "RAISE SQLSTATE '53100' USING MESSAGE = 'could not extend file: No space left on device'"
      await run(
        `CREATE FUNCTION full_${kind}() RETURNS ${kind} LANGUAGE plpgsql AS $$BEGIN ${refusal}; END$$`,
      )
    }
  })
  after(() => service.stop())

  it('readiness asks for room after the first write that found none, and says no until there is some', async () => {
    const tables = "ddl_command_start WHEN TAG IN ('CREATE TABLE AS')"
    await run(`CREATE EVENT TRIGGER full_disk ON ${tables} EXECUTE FUNCTION full_event_trigger()`)
    await run('CREATE TRIGGER full_disk BEFORE INSERT ON product EXECUTE FUNCTION full_trigger()')
    assert.equal(await ready(), 200)
    assert.equal(await write(), 503)
    assert.equal(await ready(), 503)
    assert.equal((await service.host.get('/api/products')).status, 200)
    await run('DROP TRIGGER full_disk ON product')
    assert.equal(await ready(), 503)
    await run('DROP EVENT TRIGGER full_disk')
    await eventually('it is ready', soonMs, async () => (await ready()) === 200)
    assert.equal(await write(), 201)
  })

  it('one that was full for a moment is ready at once, and nothing of the proof stays', async () => {
    await run('CREATE TRIGGER full_disk BEFORE INSERT ON product EXECUTE FUNCTION full_trigger()')
    assert.equal(await write(), 503)
    assert.equal(await ready(), 200)
    await run('DROP TRIGGER full_disk ON product')
    assert.deepEqual(await run("SELECT relname FROM pg_class WHERE relname LIKE 'write_check%'"), [])
  })
})
