import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { newDatabase } from '../../support/database/opened.ts'

it('A process that waits for nothing but a scan on SQLite, or its end, waits for it', async ({ signal }) => {
  const opened = await newDatabase('sqlite')
  const path = opened.url.slice('sqlite:'.length)
  const run = promisify(execFile)(process.execPath, [join(import.meta.dirname, 'scan-process.ts'), path], {
    signal,
  })
  assert.deepEqual(await run, { stdout: '', stderr: '' })
  await opened.drop()
})
