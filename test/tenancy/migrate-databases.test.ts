import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { migrateEverything } from '../../src/cli/migrate.ts'
import { MigrationReport } from '../../src/cli/migration-report.ts'
import { ServiceError } from '../../src/core/errors.ts'
import type { Feature } from '../../src/core/feature/feature.ts'
import { createTenants } from '../support/create-tenants.ts'
import { type EmptyDatabase, emptyDatabase } from '../support/database/empty-database.ts'
import { inspect } from '../support/database/inspect.ts'
import { createPostgresDatabase, type DatabaseName, onEachDatabase } from '../support/databases.ts'
import { contentsOf } from '../support/process/folder-contents.ts'

const note: Feature = {
  name: 'note',
  migrations: [
    {
      name: 'note-0001',
      database: 'tenant',
      statements: () => ['CREATE TABLE note (tenant_id text, id integer)'],
    },
  ],
}

onEachDatabase('Migrating the databases of all tenants', (name) => {
  let shared: EmptyDatabase
  /** Of the tenants alpha, beta and gamma; the tenant twin has its rows in that of alpha. */
  let urls: Record<string, string>
  let drop: () => Promise<void>

  before(async () => {
    shared = await emptyDatabase(name)
    const own = await Promise.all(['alpha', 'beta', 'gamma'].map((id) => ownDatabase(name, shared, id)))
    urls = Object.fromEntries(own.map(({ id, url }) => [id, url]))
    drop = async () => void (await Promise.all([shared, ...own].map((each) => each.drop())))
    const strings = own.map(({ id, connectionString }) => [id, connectionString] as const)
    await createTenants(shared, [...strings, ['twin', strings[0]?.[1] ?? '']])
  })
  after(() => drop())

  it('tells with a dry run what is pending where, and changes nothing', async () => {
    await migrateAll(shared, { dryRun: false })
    const contents = contentsOf(shared.config.dataDir)
    const { lines, failure } = await migrateAll(shared, { dryRun: true, features: [note] })
    assert.equal(failure, null)
    assert.deepEqual(lines, [
      'Databases of tenants: 0 up to date, 3 with pending migrations, 0 failed.',
      'The shared database: 1 migration pending: note-0001',
      'alpha: 1 migration pending: note-0001',
      'beta: 1 migration pending: note-0001',
      'gamma: 1 migration pending: note-0001',
    ])
    assert.deepEqual(contentsOf(shared.config.dataDir), contents)
    for (const url of Object.values(urls)) await assert.rejects(inspect(url, 'SELECT id FROM note'))
  })

  it('leaves out the one in which a migration fails, and does it when it is run again', async () => {
    await inspect(urls['beta'] ?? '', 'CREATE TABLE note (id integer)')
    const first = await migrateAll(shared, { features: [note] })
    assert.equal(first.failure?.message, 'Not migrated: the databases of beta.')
    const reason =
      'failed (The database is not migrated, and nothing was changed. Migration note-0001 creates the table note, which is there already. If it belongs to another application, give Tenantry a database, or a schema, of its own.)'
    assert.deepEqual(first.lines, [
      `  beta: ${reason}`,
      'Databases of tenants: 0 up to date, 2 migrated, 1 failed.',
      'The shared database: migrated, 1 migration applied',
      'alpha: migrated, 1 migration applied',
      `beta: ${reason}`,
      'gamma: migrated, 1 migration applied',
    ])

    await inspect(urls['beta'] ?? '', 'DROP TABLE note')
    const second = await migrateAll(shared, { features: [note] })
    assert.equal(second.failure, null)
    assert.deepEqual(second.lines, [
      'Databases of tenants: 2 up to date, 1 migrated, 0 failed.',
      'The shared database is up to date.',
      'alpha: up to date',
      'beta: migrated, 1 migration applied',
      'gamma: up to date',
    ])
  })

  it('says no secret of one that cannot be reached, and leaves a damaged file as it is', async () => {
    const folder = join(shared.config.dataDir, 'tenants')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'damaged.db'), 'no database '.repeat(100))
    await createTenants(shared, [
      ['damaged', 'sqlite:damaged.db'],
      ['gone', 'postgres://somebody:hidden@127.0.0.1:1/gone'],
    ])
    const damaged = () => contentsOf(folder).get('damaged.db')
    const bytes = damaged()
    for (const dryRun of [true, false]) {
      const { lines, failure } = await migrateAll(shared, { dryRun, features: [note] })
      assert.equal(failure?.kind, 'unavailable')
      const failed = lines.filter((line) => /^\w+: failed/.test(line))
      assert.deepEqual(failed, [
        'damaged: failed (file is not a database)',
        'gone: failed (connect ECONNREFUSED 127.0.0.1:1)',
      ])
      assert.doesNotMatch(`${lines} ${failure?.message}`, /hidden|somebody/)
    }
    assert.equal(damaged(), bytes)
  })
})

it('On a terminal a migration shows how far it is, and lists what failed alone', () => {
  let text = ''
  const report = new MigrationReport({ isTTY: true, write: (more) => (text += more) }, false)
  report.addShared({ kind: 'done', applied: [] })
  report.add('alpha', { kind: 'done', applied: ['note-0001'] })
  report.add('beta', { kind: 'failed', reason: new Error('away') })
  assert.throws(() => report.end(), /Not migrated: the databases of beta\./)
  const clear = '\r\x1b[K'
  assert.equal(
    text,
    [
      'The shared database is up to date.\n',
      `${clear}Databases of tenants done: 1, failed: 0`,
      `${clear}beta: failed (away)\n`,
      'Databases of tenants: 0 up to date, 1 migrated, 1 failed.\n',
      '  beta: failed (away)\n',
    ].join(''),
  )
})

interface RunOptions {
  dryRun?: boolean
  features?: Feature[]
}

/** @returns what was written, sorted, since databases end in any order */
async function migrateAll({ config, log }: EmptyDatabase, { dryRun = false, features = [] }: RunOptions) {
  let text = ''
  const output = { write: (more: string) => (text += more) }
  const outcome = migrateEverything(config, { parallel: 8, dryRun, service: { features, log }, output })
  const failure = await outcome.then(
    () => null,
    (error: unknown) => {
      assert.ok(error instanceof ServiceError)
      return error
    },
  )
  return { failure, lines: text.trimEnd().split('\n').toSorted() }
}

async function ownDatabase(name: DatabaseName, { config }: EmptyDatabase, id: string) {
  if (name === 'postgres') {
    const { url, drop } = await createPostgresDatabase()
    return { id, url, connectionString: url, drop }
  }
  const url = `sqlite:${join(config.dataDir, 'tenants', `${id}.db`)}`
  return { id, url, connectionString: `sqlite:${id}.db`, drop: async () => undefined }
}
