/** Requests to servers that tenants choose. */
import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { createAddressGuard } from '../../../src/core/outgoing/address-guard.ts'
import { guardedFetch, OutgoingFailure } from '../../../src/core/outgoing/guarded-fetch.ts'
import { development, productionBut } from '../../webhooks/http-attempt.ts'

const limits = { timeoutMs: 5000, maxBytes: 1000 }

type Answer = (response: http.ServerResponse, request: http.IncomingMessage) => unknown

const answers: Record<string, Answer> = {
  '/slow': (response) => response.write('{'),
  '/silent': () => undefined,
  '/long': (response) => response.end('x'.repeat(1001)),
  '/broken': (response) => response.destroy(),
  '/talkative': ({ socket }) => socket?.write('HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n{}'),
  '/moved': (response) => response.writeHead(302, { location: '/' }).end(),
}

const echo: Answer = (response, request) => {
  response.setHeader('x-method', request.method ?? '')
  request.pipe(response)
}

describe('A guarded request', () => {
  const guard = createAddressGuard(development)
  let server: http.Server
  let base: string
  before(async () => {
    server = http.createServer((request, response) => {
      const answer = answers[request.url ?? ''] ?? echo
      answer(response, request)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
  })
  after(() => {
    guard.close()
    server.closeAllConnections()
    server.close()
  })

  it('has status, headers and body of the response', async () => {
    const request = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'héllo' }
    const { status, headers, body } = await guardedFetch(guard, new URL(`${base}/echo`), request, limits)
    assert.deepEqual([status, headers['x-method'], body], [200, 'POST', 'héllo'])
  })

  it('has the response of a server that sends content after a 204', async () => {
    const { status, body } = await guardedFetch(guard, new URL(`${base}/talkative`), {}, limits)
    assert.deepEqual([status, body], [204, ''])
  })

  it('returns a redirect, and does not follow it', async () => {
    const { status } = await guardedFetch(guard, new URL(`${base}/moved`), {}, limits)
    assert.equal(status, 302)
  })

  const failures: [string, string, RegExp][] = [
    ['is silent', '/silent', /took too long/],
    ['does not end its response', '/slow', /took too long/],
    ['answers too much', '/long', /too long/],
    ['breaks off', '/broken', /connection/],
  ]
  for (const [what, path, message] of failures) {
    it(`fails when the server ${what}`, async () => {
      const bounds = { ...limits, timeoutMs: path.startsWith('/s') ? 200 : 5000 }
      await assert.rejects(guardedFetch(guard, new URL(base + path), {}, bounds), (error) => {
        assert.ok(error instanceof OutgoingFailure)
        assert.match(error.message, message)
        return true
      })
    })
  }

  it('does not reach an address that the policy refuses', async () => {
    const strict = createAddressGuard(productionBut('203.0.113.1'))
    const url = new URL(base.replace('http:', 'https:'))
    await assert.rejects(guardedFetch(strict, url, {}, limits), /may not be reached/)
    strict.close()
  })
})
