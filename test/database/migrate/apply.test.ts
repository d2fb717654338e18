import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, beforeEach, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { DatabaseBusy } from '../../../src/database/executor.ts'
import { migrate } from '../../../src/database/migrate/apply.ts'
import type { Migration } from '../../../src/database/migration.ts'
import { createService } from '../../../src/service/service.ts'
import { type EmptyDatabase, emptyDatabase } from '../../support/database/empty-database.ts'
import { inspect } from '../../support/database/inspect.ts'
import { newDatabase, type OpenedDatabase } from '../../support/database/opened.ts'
import { type DatabaseName, onEachDatabase } from '../../support/databases.ts'
import { Workplace } from '../../support/process/workplace.ts'

const first = migration('note-0001', ['CREATE TABLE note (id integer)'])
const broken = migration('note-0002', ['CREATE TABLE folder (id integer)', 'CREATE TABLE note (id integer)'])
const mended = migration('note-0002', ['CREATE TABLE folder (id integer)', 'CREATE TABLE label (id integer)'])
const third = migration('note-0003', ['INSERT INTO note (id) VALUES (1)'])

onEachDatabase('Migrations', (name) => {
  let opened: OpenedDatabase
  beforeEach(async () => {
    opened = await newDatabase(name)
  })
  afterEach(() => opened.drop())

  it('are applied in order, each once', async () => {
    const database = opened.open()
    assert.deepEqual(await migrate(database, [first]), ['note-0001'])
    assert.deepEqual(await migrate(database, [first, mended, third]), ['note-0002', 'note-0003'])
    assert.deepEqual(await migrate(database, [first, mended, third]), [])
    assert.deepEqual(await tables(), ['folder', 'label', 'migration', 'note'])
    assert.equal((await inspect(opened.url, 'SELECT id FROM note')).length, 1)
  })

  it('leave nothing of one that fails half-way, keep those before it, and resume there', async () => {
    const database = opened.open()
    await assert.rejects(migrate(database, [first, broken, third]), /already exists/)
    assert.deepEqual(await tables(), ['migration', 'note'])
    assert.deepEqual(await applied(), ['note-0001'])
    assert.deepEqual(await migrate(database, [first, mended, third]), ['note-0002', 'note-0003'])
    assert.deepEqual(await tables(), ['folder', 'label', 'migration', 'note'])
  })

  it('wait for another process that holds the lock, and not for ever', async () => {
    const database = opened.open()
    await migrate(database, [first])
    const holder = await holdLock(opened.url)
    const waiting = migrate(opened.open(), [first, mended])
    if (name === 'postgres') {
      await assert.rejects(migrate(database, [first, mended], { lockWaitMs: 0 }), DatabaseBusy)
    }
    assert.equal(await Promise.race([waiting, sleep(200, 'still waiting')]), 'still waiting')
    await holder.release()
    assert.deepEqual(await waiting, ['note-0002'])
  })

  if (name === 'postgres') {
    it('are applied once by several instances that start together', async () => {
      const all = [first, mended, third]
      const rounds = await Promise.all(Array.from({ length: 6 }, () => migrate(opened.open(), all)))
      assert.deepEqual(rounds.flat().toSorted(), ['note-0001', 'note-0002', 'note-0003'])
      assert.equal((await inspect(opened.url, 'SELECT id FROM note')).length, 1)
    })
  }

  async function tables(): Promise<string[]> {
    const names =
      name === 'sqlite'
        ? "SELECT name FROM sqlite_master WHERE type = 'table'"
        : "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'"
    const rows = await inspect(opened.url, names)
    return rows.map((row) => String(row['name'])).toSorted()
  }

  async function applied(): Promise<string[]> {
    return (await inspect(opened.url, 'SELECT name FROM migration')).map((row) => String(row['name']))
  }
})

onEachDatabase('The migrations of the service', (name) => {
  it('are applied once by all that start together', async () => {
    const empty = await emptyDatabase(name)
    try {
      await Promise.all([1, 2].map(() => migrateAs[name](empty)))
      const keys = await inspect(empty.config.databaseUrl, 'SELECT id FROM signing_key')
      assert.equal(keys.length, 1)
      const names = await inspect(empty.config.databaseUrl, 'SELECT name FROM migration')
      assert.ok(names.length >= 8, `${names.length}`)
    } finally {
      await empty.drop()
    }
  })
})

/** In a process of its own on SQLite, whose lock stops a whole process. */
const migrateAs: Record<DatabaseName, (empty: EmptyDatabase) => Promise<void>> = {
  sqlite: async ({ settings }) => {
    await using place = new Workplace(settings)
    const { code, stderr } = await place.start(['migrate']).ended
    assert.equal(code, 0, stderr)
  },
  postgres: async ({ config, log }) => (await createService(config, { log })).stop(),
}

function migration(name: string, statements: string[]): Migration {
  return { name, database: 'catalogue', statements: () => statements }
}

async function holdLock(url: string): Promise<{ release(): Promise<void> }> {
  if (url.startsWith('sqlite:')) return holdFile(url.slice('sqlite:'.length))
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('BEGIN')
  await client.query('SELECT pg_advisory_xact_lock(7406913)')
  return { release: () => client.end() }
}

/** From a process of its own: the wait for SQLite's writer lets nothing else run in ours. */
async function holdFile(path: string): Promise<{ release(): Promise<void> }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'lock-holder.ts'), path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  await once(child.stdout, 'data')
  return { release: async () => void (await ended) }
}
