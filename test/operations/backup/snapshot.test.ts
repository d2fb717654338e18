import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { copySqlite } from '../../../src/database/sqlite/copy.ts'

const rows = 5000
const rowBytes = 4000

it('A copy is of one moment while rows are written without a pause, and no writer waits', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-copy-'))
  const writer = new DatabaseSync(join(folder, 'source.db'), { timeout: 0 })
  writer.exec('PRAGMA journal_mode = WAL; CREATE TABLE note (content BLOB); BEGIN')
  const insert = writer.prepare(`INSERT INTO note VALUES (randomblob(${rowBytes}))`)
  for (let count = 0; count < rows; count++) insert.run()
  writer.exec('COMMIT')

  let written = 0
  const writing = setInterval(() => {
    insert.run() // fails at once where it would have to wait
    written++
  }, 1)
  const writtenBefore = () => Number(copied.rows['note']) - rows
  const copied = await copySqlite(join(folder, 'source.db'), join(folder, 'copy.db'))
  clearInterval(writing)
  writer.close()
  // Some rows may have come before the moment; others came while it was copied.
  assert.deepEqual(Object.keys(copied.rows), ['note'])
  assert.ok(writtenBefore() >= 0)
  assert.ok(written > writtenBefore(), `${written} were written, ${writtenBefore()} of them before`)
  rmSync(folder, { recursive: true })
})
