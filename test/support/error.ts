import assert from 'node:assert/strict'
import type { Answer } from './client.ts'

/** The shape of every error, whatever caused it: JSON with one member, and a request id to ask about. */
export function assertError(answer: Answer, status: number, message?: string | RegExp): void {
  assert.equal(answer.status, status, answer.text)
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.deepEqual(Object.keys(answer.body), ['message'])
  assert.equal(typeof answer.body.message, 'string')
  assert.notEqual(answer.body.message, '')
  assert.match(answer.headers.get('x-request-id') ?? '', /^[\w.:-]{1,100}$/)
  if (typeof message === 'string') assert.equal(answer.body.message, message)
  else if (message !== undefined) assert.match(answer.body.message, message)
}

/** What a caller can tell two answers apart by: not the id and the moment of the request. */
export function comparable(answer: Answer): object {
  const passing = new Set(['x-request-id', 'date', 'connection', 'keep-alive'])
  const headers = [...answer.headers].filter(([name]) => !passing.has(name))
  return { status: answer.status, headers: Object.fromEntries(headers), text: answer.text }
}
