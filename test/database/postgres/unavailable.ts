import assert from 'node:assert/strict'
import type { Answer } from '../../support/client.ts'

/** A 503 that says when to come again. */
export function isUnavailable({ status, headers, body }: Answer, what: string): void {
  assert.equal(status, 503, what)
  assert.match(headers.get('retry-after') ?? '', /^\d+$/)
  assert.deepEqual(Object.keys(body), ['message'])
}
