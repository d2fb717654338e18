import assert from 'node:assert/strict'
import { it } from 'node:test'
import { endureOutageOf } from './outages.ts'

/** Longer than a writer waits for another one. */
const outageMs = 8000

it('No event is lost while writes to a SQLite file are refused, without a restart', async () => {
  const { duplicates, interrupted, refused } = await endureOutageOf('sqlite', outageMs)
  assert.ok(refused > 0)
  assert.ok(duplicates <= interrupted, `${duplicates} duplicates, ${interrupted} interrupted`)
})
