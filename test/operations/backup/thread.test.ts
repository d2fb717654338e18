/** Copying and checking files does not block the serving thread: another thread reads them. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { DatabaseUnavailable } from '../../../src/database/executor.ts'
import { copySqlite, DamagedFile, inspectSqlite } from '../../../src/database/sqlite/copy.ts'

const rows = 200_000

describe('A copy of a large file', () => {
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
    await inspectSqlite(source) // the thread is there
    const share = await ownShareOf(async () => {
      assert.deepEqual((await copySqlite(source, join(folder, 'copy.db'))).rows, { note: rows })
      assert.deepEqual((await inspectSqlite(source)).rows, { note: rows })
    })
    assert.ok(share < 0.5, `${share} of the processor time was that of the thread which serves`)
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

/** @returns how much of the processor time of this process was that of this thread, from 0 to 1 */
async function ownShareOf(work: () => Promise<void>): Promise<number> {
  const [own, all] = [process.threadCpuUsage(), process.cpuUsage()]
  await work()
  const [ownSpent, allSpent] = [process.threadCpuUsage(own), process.cpuUsage(all)]
  return (ownSpent.user + ownSpent.system) / (allSpent.user + allSpent.system)
}
