/** Memory that a process keeps after many different documents. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

const mostMb = 50

/** Declares the test. */
export function leavesLittleBehind(documents: number): void {
  test(`${documents} different documents leave less than ${mostMb} MB behind`, async ({ signal }) => {
    const script = `${import.meta.dirname}/memory.ts`
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script, `${documents}`], {
      signal,
    })
    assert.ok(Number(stdout) < mostMb, `${stdout.trim()} MB`)
  })
}
