/** Opening the databases takes the locks, whether the command line does it or the package. */
import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, it } from 'node:test'
import { pino } from 'pino'
import { lockDataFolder, shareDataFolder } from '../../src/database/serving-lock.ts'
import {
  AlreadyServed,
  CannotListen,
  createService,
  DatabaseBusy,
  loadConfig,
  openOperator,
} from '../../src/index.ts'
import { Client } from '../support/client.ts'
import { createPostgresDatabase, onEitherDatabase } from '../support/databases.ts'
import { createAdmin } from '../support/process/administrator.ts'
import { Workplace } from '../support/process/workplace.ts'
import { usualOptions } from '../support/service.ts'

const key = { MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }

describe('A service that the package has created, started or not,', () => {
  it('keeps every other one out, in its process and in others, until it is stopped', async () => {
    await using place = new Workplace(key)
    const config = configOf(place)
    const service = await createService(config, usualOptions)
    const refusals = [
      createService(config, usualOptions),
      place.runProcess(['serve'], { settings: { PORT: '0' } }),
    ]
    const [here, elsewhere] = await Promise.allSettled(refusals)
    assert.ok(here?.status === 'rejected' && here.reason instanceof AlreadyServed)
    assert.match(here.reason.message, /^This process serves from \S+tenantry\.db already\.$/)
    assert.ok(elsewhere?.status === 'fulfilled' && 'stderr' in elsewhere.value)
    assert.match(
      elsewhere.value.stderr,
      /^tenantry: Another process serves from \S+tenantry\.db already\.\n$/,
    )
    await service.stop()
    const next = await place.serve()
    await assert.rejects(
      createService(config, usualOptions),
      /^Error: Another process serves from \S+ already/,
    )
    assert.equal((await next.stop()).code, 0)
  })

  it('lets commands work beside it, and no restore, forced or not', async () => {
    await using place = new Workplace(key)
    const service = await createService(configOf(place), usualOptions)
    for (const words of [
      ['tenant', 'create', 'acme', '--name', 'Acme'],
      ['backup', '--to', 'copy'],
      ['migrate'],
    ])
      assert.deepEqual([(await place.run(words)).code, words], [0, words])
    for (const force of [[], ['--force']]) {
      const { code, stderr } = await place.run(['restore', '--from', 'copy', ...force])
      assert.equal(code, 1)
      assert.match(stderr, /^tenantry: This process serves from \S+data already\.\n$/)
    }
    assert.equal((await service.app.inject('/api/products?tenant=acme')).statusCode, 200)
    await service.stop()
    assert.equal((await place.run(['restore', '--from', 'copy', '--force'])).code, 0)
  })

  it('gives everything back when its creation or its start fails', async () => {
    await using place = new Workplace(key)
    const config = configOf(place)
    await (await createService(config, usualOptions)).stop()
    const twice = {
      name: 'twice',
      events: { 'tenant.created': { summary: '', payload: { type: 'object' } } },
    }
    await assert.rejects(
      createService(config, { ...usualOptions, features: [twice] }),
      /Two features declare the event/,
    )
    const masterKey = Buffer.alloc(32, 8)
    await assert.rejects(createService({ ...config, masterKey }, usualOptions), /master key/i)
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => taken.once('listening', resolve))
    const { port } = taken.address() as AddressInfo // it listens on TCP
    const service = await createService({ ...config, host: '127.0.0.1', port }, usualOptions)
    await assert.rejects(service.start(), CannotListen)
    taken.close()
    const next = await createService(config, usualOptions)
    await next.stop()
  })

  it('is known by whatever link its database is reached, there before or not', async () => {
    await using place = new Workplace(key)
    mkdirSync(join(place.folder, 'other'))
    symlinkSync(join(place.folder, 'data', 'tenantry.db'), join(place.folder, 'other', 'link.db'))
    const settings = { DATA_DIR: 'other', DATABASE_URL: `sqlite:${join(place.folder, 'other', 'link.db')}` }
    mkdirSync(join(place.folder, 'data'))
    const byLink = await createService(configOf(place, settings), usualOptions)
    await assert.rejects(createService(configOf(place), usualOptions), AlreadyServed)
    await byLink.stop()
    const byName = await createService(configOf(place), usualOptions)
    await assert.rejects(createService(configOf(place, settings), usualOptions), AlreadyServed)
    await byName.stop()
  })
})

describe('A data folder that is being restored', () => {
  it('is opened by nothing, and restored by nothing else', async () => {
    await using place = new Workplace(key)
    const config = configOf(place)
    await (await openOperator(config, usualOptions)).close()
    const unlock = lockDataFolder(config.dataDir)
    await assert.rejects(createService(config, usualOptions), DatabaseBusy)
    for (const words of [['serve'], ['tenant', 'list'], ['backup', '--to', 'copy']]) {
      const { code, stderr } = await place.run(words, { settings: { PORT: '0' } })
      assert.equal(code, 1)
      assert.match(stderr, /^tenantry: A restore into \S+data is in progress\.\n$/)
    }
    unlock()
    assert.equal((await place.run(['tenant', 'list'])).code, 0)
    const share = shareDataFolder(config.dataDir, { kind: 'sqlite', path: '' })
    assert.throws(() => lockDataFolder(config.dataDir), AlreadyServed)
    share?.()
  })
})

onEitherDatabase('The file of a tenant', (database) => {
  it('is served by its own catalogue alone, whichever folder leads to it', async () => {
    await using place = new Workplace(key)
    const databases =
      database === 'postgres' ? [await createPostgresDatabase(), await createPostgresDatabase()] : []
    try {
      mkdirSync(join(place.folder, 'second'))
      mkdirSync(join(place.folder, 'data', 'tenants'), { recursive: true })
      symlinkSync(join(place.folder, 'data', 'tenants'), join(place.folder, 'second', 'tenants'))
      const settingsOf = (dataDir: string, index: number) => ({
        DATA_DIR: dataDir,
        ...(databases[index] && { DATABASE_URL: databases[index].url }),
      })
      const first = await place.serve(settingsOf('data', 0))
      const log = new PassThrough({ encoding: 'utf8' })
      const options = { ...usualOptions, log: pino(log) }
      const second = await createService(configOf(place, settingsOf('second', 1)), options)
      const other = new Client(await second.start())
      const status = async (anonymous: Client) =>
        (await anonymous.get('/api/products', { 'x-tenant-id': 'acme' })).status
      await createTenant(first.anonymous)
      assert.equal(await status(first.anonymous), 200)
      await createTenant(other)
      assert.equal(await status(other), 503)
      assert.equal((await first.stop()).code, 0)
      assert.equal(await status(other), 503)
      await second.stop()
      const lines = log.read()
      assert.match(lines, /Another process serves from [^"]+acme\.db already/)
      assert.match(lines, /The database is of another installation/)
    } finally {
      await place[Symbol.asyncDispose]()
      for (const { drop } of databases) await drop()
    }
  })
})

describe('A restore of the files of tenants of a catalogue on PostgreSQL', () => {
  it('is refused while a service runs in the folder', async () => {
    const { url, drop } = await createPostgresDatabase()
    await using place = new Workplace({ ...key, DATABASE_URL: url })
    const first = await createService(configOf(place, { DATABASE_URL: url }), usualOptions)
    const anonymous = new Client(await first.start())
    await createTenant(anonymous)
    assert.equal((await anonymous.get('/api/products', { 'x-tenant-id': 'acme' })).status, 200)
    assert.equal((await place.run(['backup', '--to', 'copy'])).code, 0)
    const refused = await place.run(['restore', '--from', 'copy', '--force'])
    assert.match(refused.stderr, /^tenantry: This process serves from \S+data already\.\n$/)
    await first.stop()
    const done = await place.run(['restore', '--from', 'copy', '--force'])
    assert.deepEqual([done.code, done.stderr], [0, ''])
    await place[Symbol.asyncDispose]()
    await drop()
  })
})

function configOf(place: Workplace, settings: Record<string, string> = {}) {
  return loadConfig({ ...key, PORT: '0', ...settings }, place.folder)
}

async function createTenant(anonymous: Client): Promise<void> {
  const { authorization } = await createAdmin({ anonymous })
  const tenant = { id: 'acme', name: 'Acme', connectionString: 'sqlite:acme.db' }
  const made = await anonymous.post('/api/tenants', tenant, { authorization })
  assert.equal(made.status, 201, made.text)
}
