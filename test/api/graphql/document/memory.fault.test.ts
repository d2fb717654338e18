/** Memory that a process keeps after many different documents; `long-input.test.ts` counts what caches keep. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

const documents = 100_000
const mostMb = 50

test(`${documents} different documents leave less than ${mostMb} MB behind`, async ({ signal }) => {
  const script = `${import.meta.dirname}/memory.ts`
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script, `${documents}`], {
    signal,
  })
  assert.ok(Number(stdout) < mostMb, `${stdout.trim()} MB`)
})
