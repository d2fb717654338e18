/** What a start, a service and a backup do about a lost master key, and about a catalogue that is lost or another one. */
import assert from 'node:assert/strict'
import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { loadConfig } from '../../src/core/settings/config.ts'
import { createService } from '../../src/service/service.ts'
import { createPostgresDatabase } from '../support/databases.ts'
import { assertUnavailable } from '../support/error.ts'
import { contentsOf } from '../support/process/folder-contents.ts'
import { Workplace } from '../support/process/workplace.ts'
import { startService, usualOptions } from '../support/service.ts'

describe('A start without the master key of its database', () => {
  it('is refused, and writes nothing into the data folder', async () => {
    await using place = new Workplace()
    assert.equal((await place.run(['tenant', 'list'])).code, 0)
    rmSync(join(place.folder, 'data/master.key'))
    const before = filesOf(place)
    for (const words of [['serve'], ['tenant', 'list'], ['migrate'], ['backup', '--to', 'copy']]) {
      const { code, stderr } = await place.run(words)
      assert.equal(code, 1, stderr)
      assert.match(stderr, /MASTER_KEY: is not set, and there is no \S+master\.key/)
    }
    assert.deepEqual(filesOf(place), before)
  })

  it('is refused with a database on PostgreSQL as well, in any folder', async () => {
    const { url, drop } = await createPostgresDatabase()
    await using place = new Workplace({ DATABASE_URL: url })
    assert.equal((await place.run(['tenant', 'list'])).code, 0)
    const { code, stderr } = await place.run(['tenant', 'list'], { settings: { DATA_DIR: 'elsewhere' } })
    assert.equal(code, 1)
    assert.match(stderr, /there is no \S+elsewhere\/master\.key, but the database is encrypted/)
    assert.equal(existsSync(join(place.folder, 'elsewhere/master.key')), false)
    await drop()
  })

  it('writes none where the catalogue is lost', async () => {
    await using place = new Workplace()
    assert.equal((await place.run(['tenant', 'list'])).code, 0)
    for (const name of ['master.key', 'tenantry.db']) rmSync(join(place.folder, 'data', name))
    assert.match((await place.run(['serve'])).stderr, /tenantry\.db is missing or empty/)
    assert.equal(existsSync(join(place.folder, 'data/master.key')), false)
  })
})

describe('A catalogue', () => {
  it('of another installation is refused in words, until the data folder is told', async () => {
    await using one = new Workplace()
    await using other = new Workplace()
    for (const place of [one, other]) assert.equal((await place.run(['tenant', 'list'])).code, 0)
    const data = join(one.folder, 'data')
    for (const name of ['master.key', 'tenantry.db'])
      cpSync(join(other.folder, 'data', name), join(data, name))
    const before = filesOf(one)
    for (const words of [['serve'], ['migrate']]) {
      const { code, stderr } = await one.run(words)
      assert.equal(code, 1)
      assert.match(stderr, /tenantry\.db is of another installation than the data folder/)
    }
    assert.deepEqual(filesOf(one), before)
    rmSync(join(data, 'initialized'))
    assert.equal((await one.run(['tenant', 'list'])).code, 0)
  })

  it('that is replaced while it is served from acknowledges no write, and is not ready', async () => {
    const service = await startService('sqlite')
    const made = await service.host.post('/api/products', { name: 'Desk', price: 1 })
    assert.equal(made.status, 201)
    const file = join(service.dataDir, 'tenantry.db')
    cpSync(file, `${file}-copy`)
    renameSync(`${file}-copy`, file)
    const copied = readFileSync(file)
    assertUnavailable(await service.host.post('/api/products', { name: 'Lamp', price: 1 }))
    assertUnavailable(await service.host.get('/api/products'))
    assert.equal((await service.anonymous.get('/health/ready')).status, 503)
    assert.equal((await service.anonymous.get('/health/live')).status, 200)
    assert.deepEqual(readFileSync(file), copied)
    await service.stop()
  })
})

describe('A backup', () => {
  it('names the tenants whose database is missing, empty or another, copies the rest, and exits with 1', async () => {
    await using place = new Workplace()
    const ids = ['alpha', 'beta', 'gamma', 'delta', 'empty', 'never']
    for (const id of ids.slice(0, 5)) assert.equal((await create(place, id, `sqlite:${id}.db`)).code, 0)
    assert.equal((await create(place, 'never', 'postgres://u:hidden@127.0.0.1:1/never')).code, 0)
    const folder = join(place.folder, 'data/tenants')
    rmSync(join(folder, 'alpha.db'))
    cpSync(join(folder, 'gamma.db'), join(folder, 'beta.db'))
    writeFileSync(join(folder, 'empty.db'), '')
    const { code, stdout, stderr } = await place.run(['backup', '--to', 'copy'])
    assert.equal(code, 1)
    assert.match(stderr, /^tenantry: Not backed up: 3 of the databases\.\n$/)
    assert.match(stdout, /^Not included: alpha, failed: The database is missing/m)
    assert.match(stdout, /^Not included: beta, failed: The database is not the one of this tenant/m)
    assert.match(stdout, /^Not included: empty, failed: The database is missing/m)
    assert.match(stdout, /^Not included: never, its database is on PostgreSQL/m)
    const manifest = JSON.parse(readFileSync(join(place.folder, 'copy/manifest.json'), 'utf8'))
    assert.deepEqual(
      manifest.databases.map(({ file }: { file: string }) => file),
      ['catalogue.db', 'tenants/delta.db', 'tenants/gamma.db'],
    )
    assert.equal(existsSync(join(place.folder, 'copy/tenants/beta.db')), false)
  })

  it('is restored as a whole, and for one tenant, whatever is newer in the catalogue', async () => {
    await using place = new Workplace()
    for (const id of ['alpha', 'beta']) assert.equal((await create(place, id, `sqlite:${id}.db`)).code, 0)
    assert.equal((await place.run(['backup', '--to', 'whole'])).code, 0)
    assert.equal((await place.run(['backup', '--to', 'one', '--tenant', 'alpha'])).code, 0)
    for (let start = 0; start < 3; start++) await place.run(['tenant', 'database', 'alpha'])
    assert.equal((await place.run(['restore', '--from', 'one', '--force'])).code, 0)
    assert.equal((await place.run(['tenant', 'database', 'alpha'])).stdout, 'alpha: sqlite, ready.\n')
    rmSync(join(place.folder, 'data/tenants/beta.db'))
    assert.match((await place.run(['tenant', 'database', 'beta'])).stdout, /^beta: sqlite, missing\./)
    assert.equal((await place.run(['restore', '--from', 'whole', '--force'])).code, 0)
    for (const id of ['alpha', 'beta'])
      assert.equal((await place.run(['tenant', 'database', id])).stdout, `${id}: sqlite, ready.\n`)
    const config = loadConfig({ PORT: '0', DATA_DIR: 'data' }, place.folder)
    await (await createService(config, usualOptions)).stop()
  })
})

function create(place: Workplace, id: string, connection: string) {
  return place.run(['tenant', 'create', id, '--name', id, '--connection-string', '-'], { input: connection })
}

/** Without locks, and what SQLite makes for whoever looks. */
function filesOf(place: Workplace): [string, string][] {
  return [...contentsOf(place.folder)].filter(([name]) => !/-serving$|\.lock$|-shm$|-wal$/.test(name))
}
