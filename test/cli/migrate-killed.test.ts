/** `tenantry migrate` is killed at several moments; run again, it completes the rest. */
import assert from 'node:assert/strict'
import { copyFileSync, cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { createTenants } from '../support/create-tenants.ts'
import { type EmptyDatabase, emptyDatabase } from '../support/database/empty-database.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { Workplace } from '../support/process/workplace.ts'
import { triesAll } from '../support/run/extent.ts'

const tenants = Array.from({ length: 40 }, (_, index) => `tenant-${index}`)
/** How many databases are done when the command is killed. */
const doneAtKill = triesAll ? [1, 5, 10] : [1, 10]

describe('tenantry migrate that is killed', () => {
  it('has left each database as it was, or done, or on its way, and does the rest when it is run again', async () => {
    const empty = await emptyDatabase('sqlite')
    await using place = new Workplace(empty.settings)
    const whole = await loseDatabases(empty)
    const isDone = (state: State) => state.applied.length === whole.applied.length
    let doneBefore = 0
    for (const goal of doneAtKill) {
      const running = place.start(['migrate', '--parallel', '4'])
      const lines = new RegExp(`(?:^tenant-\\d+: migrated.*\\n[^]*?){${Math.max(0, goal - doneBefore)}}`, 'm')
      await running.waitFor(lines)
      assert.equal((await running.kill()).signal, 'SIGKILL')
      const states = statesAtKill(empty)
      for (const { applied } of states) {
        assert.deepEqual(applied, whole.applied.slice(0, applied.length)) // none is left out
      }
      doneBefore = states.filter(isDone).length
      assert.ok(doneBefore >= goal && doneBefore < tenants.length, `${doneBefore} are done after ${goal}`)
    }

    const { code, stdout, stderr } = await place.run(['migrate'])
    assert.deepEqual([code, stderr], [0, ''])
    const left = tenants.length - doneBefore
    const report = `Databases of tenants: ${doneBefore} up to date, ${left} migrated, 0 failed.\n`
    assert.ok(stdout.endsWith(report), stdout)
    for (const id of tenants) assert.deepEqual(lookAt(fileOf(empty, id)), whole)
    await empty.drop()
  })

  it('while it does the shared database does the rest of that as well', async () => {
    await using reference = new Workplace()
    await using place = new Workplace()
    await reference.run(['migrate'])
    const whole = lookAt(join(reference.folder, 'data/tenantry.db'))
    const file = join(place.folder, 'data/tenantry.db')
    for (const applied of [1, Math.floor(whole.applied.length / 2)]) {
      const running = place.start(['migrate'])
      const isReached = async () => existsSync(file) && appliedIn(file) >= applied
      await eventually(`${applied} migrations`, soonMs, isReached)
      await running.kill()
    }
    const { code, stdout, stderr } = await place.run(['migrate'])
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, /^The shared database(?: is up to date\.|: migrated, \d+ migrations? applied)\n$/)
    assert.deepEqual(lookAt(file), whole)
  })
})

interface State {
  applied: string[]
  schema: unknown[]
}

/** As if they had never been opened. @returns what each has to be in the end */
async function loseDatabases(empty: EmptyDatabase): Promise<State> {
  const [first = '', ...others] = tenants
  await createTenants(empty, [withFile(first)])
  const whole = lookAt(fileOf(empty, first))
  // Made from the first they are ready sooner.
  for (const id of others) copyFileSync(fileOf(empty, first), fileOf(empty, id))
  await createTenants(empty, others.map(withFile))
  rmSync(join(empty.config.dataDir, 'tenants'), { recursive: true })
  const catalogue = new DatabaseSync(join(empty.config.dataDir, 'tenantry.db'))
  catalogue.exec('UPDATE tenant_database SET database_id = NULL, generation = 0')
  catalogue.close()
  return whole
}

/** In a copy, so that it is the command that has to find its way out of what is left. */
function statesAtKill({ config: { dataDir } }: EmptyDatabase): State[] {
  const copy = join(dataDir, 'copy')
  cpSync(join(dataDir, 'tenants'), copy, { recursive: true })
  const there = tenants.map((id) => join(copy, `${id}.db`)).filter((file) => existsSync(file))
  const states = there.map(lookAt)
  rmSync(copy, { recursive: true })
  return states
}

function fileOf({ config: { dataDir } }: EmptyDatabase, id: string): string {
  return join(dataDir, 'tenants', `${id}.db`)
}

function lookAt(file: string): State {
  const database = new DatabaseSync(file, { timeout: 5000 }) // a process that ends may still be closing it
  const schema = database.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all()
  const hasList = schema.some(({ name }) => name === 'migration')
  const rows = hasList ? database.prepare('SELECT name FROM migration ORDER BY rowid').all() : []
  assert.equal(database.prepare('PRAGMA integrity_check').get()?.['integrity_check'], 'ok')
  database.close()
  return { applied: rows.map(({ name }) => String(name)), schema }
}

function appliedIn(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 2000 })
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE name = 'migration'").all()
  const count = tables.length > 0 ? database.prepare('SELECT count(*) AS n FROM migration').get() : {}
  database.close()
  return Number(count?.['n'] ?? 0)
}

function withFile(id: string): [id: string, connectionString: string] {
  return [id, `sqlite:${id}.db`]
}
