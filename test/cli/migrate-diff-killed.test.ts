/** `kill -9` in the middle of a migration that was written from definitions: nothing of it is left, and it is resumed. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { writeApplication, writeConfig } from '../database/schema/application.ts'
import { createdAt, idOf } from '../database/schema/tables.ts'
import { inspect } from '../support/database/inspect.ts'
import { createPostgresDatabase, type DatabaseName, onEachDatabase } from '../support/databases.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { Workplace } from '../support/process/workplace.ts'

const before = 'fields: { title: text(), note: text().optional() }'
const after = "fields: { name: text(), level: oneOf('low', 'high').default('low') }, search: ['name']"
const decisions = ['--rename', 'task.title=task.name', '--drop', 'task.note']
/** Each database takes seconds for these: the migration is killed meanwhile, and then goes without. */
const slow = {
  sqlite: `CREATE TEMP TABLE counted AS
  WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 50000000) SELECT max(n) FROM numbers;
DROP TABLE counted;`,
  postgres: 'SELECT pg_sleep(60);',
}
const rows = 500
const moment = `'${createdAt}'`

onEachDatabase('A migration from definitions that is killed', (name) => {
  it('leaves the tables as they were, and is done when it is run again', async () => {
    const postgres = name === 'postgres' ? await createPostgresDatabase() : null
    await using place = new Workplace(postgres === null ? {} : { DATABASE_URL: postgres.url })
    const url = postgres?.url ?? `sqlite:${join(place.folder, 'data/tenantry.db')}`
    const run = (fields: string, ...words: string[]) =>
      place.run([...words, ...writeConfig(place.folder, 'task', fields)])
    for (const words of [['migrate', 'diff'], ['migrate']])
      assert.equal((await run(before, ...words)).code, 0)
    await inspect(url, insertion(name))
    assert.equal((await run(after, 'migrate', 'diff', ...decisions)).code, 0)
    const file = join(place.folder, 'migrations/0002-change-task.sql')
    const written = readFileSync(file, 'utf8')
    slowDown(file)

    const running = place.start(['migrate'], { command: writeApplication(place.folder, 'task', after) })
    await eventually('the slow statement', soonMs, () => isMigrating(url))
    assert.equal((await running.kill()).signal, 'SIGKILL')
    assert.equal(running.stdout, '')
    await endSlow(url)
    assert.deepEqual(await count(url, "title LIKE 'Task %' AND note IS NULL"), rows)

    writeFileSync(file, written)
    const { code, stdout, stderr } = await run(after, 'migrate')
    assert.deepEqual([code, stderr], [0, ''])
    assert.equal(stdout, 'The shared database: migrated, 1 migration applied\n')
    assert.deepEqual(
      await count(url, "name LIKE 'Task %' AND search_name LIKE 'task %' AND level = 'low'"),
      rows,
    )
    await postgres?.drop()
  })
})

function insertion(name: DatabaseName): string {
  const id = `'${idOf(0).slice(0, -6)}' || substr('' || (1000000 + n), 2)`
  return `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${rows})
    INSERT INTO task (tenant_id, id, title, created_at, updated_at, version)
    SELECT 'acme', ${name === 'postgres' ? `CAST(${id} AS uuid)` : id}, 'Task ' || n, ${moment}, ${moment}, 1 FROM numbers`
}

/** At the end of each section, as a person may add a backfill. */
function slowDown(file: string): void {
  const text = readFileSync(file, 'utf8')
  const [sqlite = '', postgres = ''] = text.split('-- postgres')
  writeFileSync(file, `${sqlite}${slow.sqlite}\n\n-- postgres${postgres}\n${slow.postgres}\n`)
}

const isSlow = "query = 'SELECT pg_sleep(60)' AND state = 'active' AND datname = current_database()"

/** PostgreSQL notices that its client is gone when the statement ends. */
async function endSlow(url: string): Promise<void> {
  if (!url.startsWith('sqlite:'))
    await inspect(url, `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE ${isSlow}`)
}

/** Other migrations take milliseconds. */
async function isMigrating(url: string): Promise<boolean> {
  if (!url.startsWith('sqlite:')) {
    const found = await inspect(url, `SELECT 1 FROM pg_stat_activity WHERE ${isSlow}`)
    return found.length > 0
  }
  const database = new DatabaseSync(url.slice('sqlite:'.length), { timeout: 300 })
  try {
    database.exec('BEGIN IMMEDIATE; ROLLBACK')
    return false
  } catch (error) {
    if (error instanceof Error && error.message.includes('locked')) return true
    throw error
  } finally {
    database.close()
  }
}

async function count(url: string, condition: string): Promise<number> {
  const [row] = await inspect(url, `SELECT count(*) AS n FROM task WHERE ${condition}`)
  return Number(row?.['n'])
}
