import assert from 'node:assert/strict'
import type { Answer } from './client.ts'

/** The shape of every error: JSON with one member, and a request id. */
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

/** The reply while a database cannot be used: it says when to come again. */
export function assertUnavailable({ status, headers, body, text }: Answer, message = text): void {
  assert.equal(status, 503, message)
  assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  assert.deepEqual(Object.keys(body), ['message'])
}

/** The parts by which a caller can tell two answers apart, without the id and the time of the request. */
export function comparable(answer: Answer): object {
  const passing = new Set(['x-request-id', 'date', 'connection', 'keep-alive', 'live-cursor'])
  const headers = [...answer.headers].filter(([name]) => !passing.has(name))
  return { status: answer.status, headers: Object.fromEntries(headers), text: answer.text }
}
