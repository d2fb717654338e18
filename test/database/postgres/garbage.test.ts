import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { it } from 'node:test'
import { createPostgresDatabase } from '../../support/databases.ts'

it('The rows of an answer from PostgreSQL go with the young garbage', async () => {
  const postgres = await createPostgresDatabase()
  try {
    const child = fork(new URL('garbage-process.ts', import.meta.url), [postgres.url])
    const [collections] = await Promise.race([once(child, 'message'), once(child, 'exit')])
    assert.ok(collections <= 1, `${collections} collections of all garbage for 180 MB of rows`)
  } finally {
    await postgres.drop()
  }
})
