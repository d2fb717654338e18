import assert from 'node:assert/strict'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { DatabaseUnavailable } from '../../../src/database/executor.ts'
import { openSqlite } from '../../../src/database/sqlite/sqlite-database.ts'
import { createService } from '../../../src/service/service.ts'
import { emptyDatabase } from '../../support/database/empty-database.ts'
import { inspect } from '../../support/database/inspect.ts'
import { assertError } from '../../support/error.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { contentsOf } from '../../support/process/folder-contents.ts'
import { startService } from '../../support/service.ts'

const pageBytes = 4096

describe('A SQLite file that is damaged while it is open', () => {
  it('makes requests fail one by one, and never the process', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tenantry-damaged-'))
    const path = join(folder, 'test.db')
    const database = openSqlite(path)
    await database.transaction(async (inside) => void (await inside.run('CREATE TABLE note (id)', [], false)))
    let changes = 0
    database.onChange(() => changes++)
    for (const ending of ['', '-wal', '-shm']) writeFileSync(`${path}${ending}`, Buffer.alloc(40_960, 7))
    await eventually('the change is noticed', soonMs, async () => changes > 0)
    await assert.rejects(database.executor.run('SELECT id FROM note', [], false))
    await assert.rejects(
      database.transaction((inside) => inside.run('INSERT INTO note (id) VALUES (1)', [], false)),
      DatabaseUnavailable,
    )
    await database.close()
    rmSync(folder, { recursive: true })
  })
})

describe('A catalogue that is damaged while it is served from', () => {
  it('is answered with 503, readiness says so, and the process lives', async () => {
    const service = await startService('sqlite')
    assert.equal((await service.host.get('/health/ready')).status, 200)
    const path = join(service.dataDir, 'tenantry.db')
    // What another connection has written makes ours read the file again.
    await inspect(`sqlite:${path}`, 'PRAGMA user_version = 1')
    await inspect(`sqlite:${path}`, 'PRAGMA wal_checkpoint(TRUNCATE)')
    overwrite(path, pageBytes)
    const answer = await service.host.get('/api/products')
    assertError(answer, 503)
    assert.equal(answer.headers.get('retry-after'), '2')
    assert.equal((await service.host.get('/health/ready')).status, 503)
    assert.equal((await service.host.get('/health/live')).status, 200)
    await service.stop().catch(() => undefined) // its journal may not fit into the file any more
  })

  it('is not ready when a long read alone has met the damage, until the file is found whole', async () => {
    const service = await startService('sqlite')
    const made = await service.host.post('/api/products', { name: 'Desk', price: 1 })
    assert.equal(made.status, 201, made.text)
    const path = join(service.dataDir, 'tenantry.db')
    await inspect(`sqlite:${path}`, 'PRAGMA wal_checkpoint(TRUNCATE)')
    const [table] = await inspect(
      `sqlite:${path}`,
      "SELECT rootpage FROM sqlite_schema WHERE name = 'product'",
    )
    const from = (Number(table?.['rootpage']) - 1) * pageBytes
    assert.equal((await service.host.get('/health/ready')).status, 200)
    const whole = readFileSync(path)
    overwrite(path, from, from + pageBytes)
    assertError(await service.host.get('/api/products/search/desk'), 503)
    assert.equal((await service.host.get('/health/ready')).status, 503)
    const [file, page] = [openSync(path, 'r+'), whole.subarray(from, from + pageBytes)]
    writeSync(file, page, 0, pageBytes, from)
    closeSync(file)
    await eventually('it is found whole', soonMs, async () => {
      return (await service.host.get('/health/ready')).status === 200
    })
    await service.stop()
  })

  it('is not ready when its file was removed, and none is made in its place', async () => {
    const service = await startService('sqlite')
    const path = join(service.dataDir, 'tenantry.db')
    rmSync(path)
    assert.equal((await service.host.get('/health/ready')).status, 503)
    assert.equal(existsSync(path), false)
    await service.stop()
  })
})

const damages: [name: string, damage: (path: string) => void][] = [
  ['is something else', (path) => writeFileSync(path, 'no database '.repeat(1000))],
  ['is cut short', (path) => truncateSync(path, 5 * pageBytes)],
  ['has another beginning', (path) => overwrite(path, 0, 16)],
  ['has lost its list of tables', (path) => overwrite(path, 100, pageBytes)],
]

describe('A SQLite file that is damaged before it is opened', () => {
  for (const [name, damage] of damages) {
    it(`stops the start when the catalogue ${name}, and is left as it is`, async () => {
      const { config, log, drop } = await emptyDatabase('sqlite')
      await (await createService(config, { log })).stop()
      const path = join(config.dataDir, 'tenantry.db')
      damage(path)
      const bytes = contentsOf(config.dataDir).get('tenantry.db')
      await assert.rejects(createService(config, { log }), (error: Error) => {
        assert.ok(error instanceof DatabaseUnavailable)
        assert.equal(error.message, `The database file ${path} cannot be opened.`)
        assert.match(String(error.cause), /file is not a database|database disk image is malformed/)
        return true
      })
      assert.equal(contentsOf(config.dataDir).get('tenantry.db'), bytes)
      await drop()
    })
  }

  it('is refused to its tenant alone with 503, and is left as it is', async () => {
    const service = await startService('sqlite')
    const folder = join(service.dataDir, 'tenants')
    mkdirSync(folder)
    for (const [index, [, damage]] of damages.entries()) {
      const path = join(folder, `damaged-${index}.db`)
      openWhole(path)
      damage(path)
      const bytes = readFileSync(path)
      const tenant = await service.newTenant({ connectionString: `sqlite:damaged-${index}.db` })
      const answer = await tenant.user.get('/api/products')
      assertError(answer, 503)
      assert.equal(answer.headers.get('retry-after'), '2')
      assert.equal((await service.host.get(`/api/tenants/${tenant.id}/database`)).body.status, 'damaged')
      assert.deepEqual(readFileSync(path), bytes)
      const { body } = await service.host.get('/api/tenant-health')
      const own = body.find(({ tenantId }: { tenantId: string }) => tenantId === tenant.id)
      assert.equal(own.databaseFault, 'damaged')
    }
    assert.equal((await service.host.get('/api/products')).status, 200)
    await service.stop()
  })
})

function overwrite(path: string, from: number, to?: number): void {
  writeFileSync(path, readFileSync(path).fill(7, from, to))
}

/** Some pages long. */
function openWhole(path: string): void {
  const file = new DatabaseSync(path)
  file.exec('PRAGMA journal_mode = WAL; CREATE TABLE note (text); INSERT INTO note VALUES (zeroblob(40000))')
  file.close()
}
