/** The poll for commits of other processes, while the service itself commits on another connection to restart the log. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { SqliteConnection } from '../../../src/database/sqlite/connection.ts'
import { ForeignCommits } from '../../../src/database/sqlite/foreign-commits.ts'

/** Longer than the interval of the poll. */
const pollMs = 600

describe('A restart of the log', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-foreign-'))
  const path = join(folder, 'a.db')
  const [own, restarting, other] = [path, path, path].map((each) => new DatabaseSync(each))
  other?.exec('PRAGMA journal_mode = WAL; CREATE TABLE note (text)')
  let notices = 0
  const commits = new ForeignCommits(
    new SqliteConnection(() => own ?? new DatabaseSync(path)),
    () => notices++,
  )
  after(() => {
    commits.stop()
    for (const connection of [own, restarting, other]) connection?.close()
    rmSync(folder, { recursive: true })
  })
  const version = async () => restarting?.prepare('PRAGMA data_version').get()?.['data_version']
  const restart = async () => {
    restarting?.exec("INSERT INTO note VALUES ('restart')")
    await delay(pollMs)
  }

  it('is not taken for a commit of another process, however long it takes', async () => {
    await commits.ignoring(restart, version)
    await delay(pollMs)
    assert.equal(notices, 0)
  })

  it('does not hide a commit of another process', async () => {
    await commits.ignoring(async () => {
      other?.exec("INSERT INTO note VALUES ('other')")
      await restart()
    }, version)
    assert.equal(notices, 1)
  })
})
