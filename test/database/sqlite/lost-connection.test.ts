/** A SQLite writer without a connection refuses every transaction at once. */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { DatabaseUnavailable } from '../../../src/database/executor.ts'
import { SqliteConnection } from '../../../src/database/sqlite/connection.ts'
import { translate } from '../../../src/database/sqlite/failure.ts'
import { GroupCommitWriter } from '../../../src/database/sqlite/group-commit-writer.ts'

it('A writer without a connection refuses each transaction', async () => {
  const connection = new SqliteConnection(() => new DatabaseSync(':memory:'))
  const nothing = () => undefined
  const watching = { committing: nothing, committed: nothing, lost: () => null }
  const listeners = { ...watching, announced: nothing, translate }
  const writes = new GroupCommitWriter(connection, listeners)
  assert.equal(await writes.transaction(async () => 'done'), 'done')
  connection.close()
  for (let count = 0; count < 2; count++) {
    await assert.rejects(
      writes.transaction(async () => 'done'),
      DatabaseUnavailable,
    )
  }
})
