/** Copying and checking files does not block the serving thread: another thread reads them. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { DatabaseUnavailable } from '../../../src/database/executor.ts'
import { copySqlite, DamagedFile, inspectSqlite } from '../../../src/database/sqlite/copy.ts'

const rows = 1000

describe('A copy of a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-copy-thread-'))
  const source = join(folder, 'source.db')
  before(() => {
    const file = new DatabaseSync(source)
    file.exec('CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT); CREATE INDEX by_text ON note (text)')
    file.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
      INSERT INTO note SELECT i, hex(i * 7919) FROM n`)
    file.close()
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('is made, counted and checked by a thread of its own', async () => {
    const copied = join(folder, 'copied.db')
    await copySqlite(source, copied)
    const holder = new DatabaseSync(source)
    holder.exec('BEGIN EXCLUSIVE')
    let answered = 0
    // The copy waits for this thread, and whatever shares its thread waits as well.
    const tasks = [copySqlite(source, join(folder, 'copy.db')), inspectSqlite(copied)]
    const answers = Promise.all(
      tasks.map((task) =>
        task.then((contents) => {
          answered++
          return contents.rows
        }),
      ),
    )
    for (let turn = 0; turn < 100; turn++) await setImmediate()
    assert.equal(answered, 0)
    holder.close()
    assert.deepEqual(await answers, [{ note: rows }, { note: rows }])
  })

  it('fails as it would on this thread', async () => {
    const text = join(folder, 'text.db')
    writeFileSync(text, 'no database '.repeat(1000))
    await assert.rejects(
      inspectSqlite(text, 'shown.db'),
      (error) =>
        error instanceof DamagedFile && /^The database file shown\.db is damaged: /.test(error.message),
    )
    await assert.rejects(copySqlite(join(folder, 'none.db'), join(folder, 'no.db')), DatabaseUnavailable)
    const nowhere = join(folder, 'nowhere', 'copy.db')
    await assert.rejects(copySqlite(source, nowhere), { code: 'ENOENT', syscall: 'open' })
  })
})
