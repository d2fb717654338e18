/** Paths at which there is no file, or can be none: callers get the error of both databases, and no file appears. */
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { DatabaseBusy, DatabaseUnavailable } from '../../../src/database/executor.ts'
import { lockFile } from '../../../src/database/serving-lock.ts'
import { lockExclusively, lockShared, lockUnderName } from '../../../src/database/sqlite/lock-file.ts'
import { rewriteFile } from '../../../src/database/sqlite/rewrite-file.ts'

describe('Without a file of SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-no-file-'))
  after(() => rmSync(folder, { recursive: true }))

  it('a rewriting fails, and creates none', async () => {
    await assert.rejects(rewriteFile(join(folder, 'removed.db')), DatabaseUnavailable)
    assert.deepEqual(readdirSync(folder), [])
  })

  it('a lock is unavailable where its folder cannot be, and is not held by others', async () => {
    writeFileSync(join(folder, 'file'), '')
    const path = join(folder, 'file', 'folder.lock')
    const isUnavailable = (error: unknown) =>
      error instanceof DatabaseUnavailable && !(error instanceof DatabaseBusy)
    assert.throws(() => lockExclusively(path), isUnavailable)
    assert.throws(() => lockShared(path), isUnavailable)
    await assert.rejects(lockUnderName(path, 'name'), isUnavailable)
    assert.throws(() => lockFile(join(folder, 'file', 'a.db')), isUnavailable)
  })
})
