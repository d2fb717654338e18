/** Signing in at a mail server with an access token (XOAUTH2): from a file, and from a token endpoint. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { SMTPServerOptions } from 'smtp-server'
import { loadConfig } from '../../src/core/settings/config.ts'
import { type MailServer, refusal, startMailServer } from '../support/mail/mail-server.ts'
import { startService, type TestService } from '../support/service.ts'
import { greet, greetingFeature } from './mail-feature.ts'

interface Answer {
  status?: number
  body: Record<string, unknown>
}

/** The token endpoint, which keeps what it was asked. */
async function startTokenEndpoint(answer: (asked: URLSearchParams) => Answer) {
  const asked: URLSearchParams[] = []
  const server = createServer(async (request, response) => {
    const input = new URLSearchParams(await text(request))
    asked.push(input)
    const { status = 200, body } = answer(input)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token` // it listens on a port
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url, asked, [Symbol.asyncDispose]: close }
}

describe('An access token for the mail server', () => {
  let folder: string
  let file: string
  let valid: string
  let refused: string[] = []
  let server: MailServer
  const user = 'me@acme.example'

  const onAuth: SMTPServerOptions['onAuth'] = ({ method, username, accessToken }, _session, done) => {
    if (method === 'XOAUTH2' && username === user && accessToken === valid) return done(null, { user })
    refused.push(String(accessToken))
    // As Google and Microsoft do: the reason after 334, then 535.
    done(null, { data: { status: '401', schemes: 'bearer' } })
  }

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'token-'))
    file = join(folder, 'token')
    server = await startMailServer({ authMethods: ['XOAUTH2'], onAuth })
  })
  after(async () => {
    await server.close()
    rmSync(folder, { recursive: true })
  })
  beforeEach(() => {
    ;[valid, refused] = ['first', []]
    server.received.length = 0
  })

  const serve = async (settings: Record<string, string>): Promise<TestService & AsyncDisposable> => {
    const url = { SMTP_URL: `smtp://${encodeURIComponent(user)}@127.0.0.1:${server.port}` }
    const service = await startService('sqlite', { ...url, ...settings }, { features: [greetingFeature] })
    return { ...service, [Symbol.asyncDispose]: () => service.stop() }
  }

  /** Of a mail that is sent after all earlier ones. */
  const sendOne = async (service: TestService): Promise<{ status: string; error: string | null }> => {
    await greet(service, 'default', 'ada@acme.example')
    await service.service.queueWorkers.drain()
    return (await service.host.get('/api/mails')).body[0]
  }

  const oauth = (url: string) => ({
    SMTP_TOKEN_URL: url,
    SMTP_CLIENT_ID: 'client',
    SMTP_CLIENT_SECRET: 'a secret',
    SMTP_REFRESH_TOKEN: 'refresh-1',
  })

  it('is read from its file again when the file has changed', async () => {
    await using service = await serve({ SMTP_TOKEN_FILE: file })
    assert.equal((await sendOne(service)).error, 'SMTP_TOKEN_FILE cannot be read (ENOENT).')
    writeFileSync(file, 'stale\n')
    assert.match((await sendOne(service)).error ?? '', /^AUTH XOAUTH2: 535 .*"status":"401"/s)
    assert.deepEqual(refused, ['stale'])
    writeFileSync(file, 'first\n')
    assert.equal((await sendOne(service)).status, 'SENT')
    assert.equal(server.received[0]?.user, user)
    valid = 'second'
    server.drop()
    writeFileSync(file, 'second\n')
    assert.equal((await sendOne(service)).status, 'SENT')
  })

  it('is asked for once, and serves many connections until shortly before it expires', async () => {
    let seconds = 3600
    await using endpoint = await startTokenEndpoint(() => ({
      body: { access_token: valid, expires_in: seconds, refresh_token: 'refresh-2' },
    }))
    await using service = await serve(oauth(endpoint.url))
    for (let index = 0; index < 12; index++) await greet(service, 'default', `user${index}@acme.example`)
    await service.service.queueWorkers.drain()
    assert.equal(server.received.length, 12)
    assert.equal(endpoint.asked.length, 1)
    assert.deepEqual(Object.fromEntries(endpoint.asked[0] ?? []), {
      grant_type: 'refresh_token',
      client_id: 'client',
      client_secret: 'a secret',
      refresh_token: 'refresh-1',
    })
    // A token that the server refuses is replaced, with the refresh token that came last.
    ;[valid, seconds] = ['second', 30]
    server.drop()
    assert.equal((await sendOne(service)).status, 'SENT')
    assert.deepEqual([refused, endpoint.asked[1]?.get('refresh_token')], [['first'], 'refresh-2'])
    // A token of thirty seconds could expire on its way.
    server.drop()
    assert.equal((await sendOne(service)).status, 'SENT')
    assert.equal(endpoint.asked.length, 3)
  })

  it('is that of the client where no refresh token is set', async () => {
    await using endpoint = await startTokenEndpoint(() => ({ body: { access_token: valid } }))
    const { SMTP_REFRESH_TOKEN: _none, ...settings } = oauth(endpoint.url)
    await using service = await serve({ ...settings, SMTP_SCOPE: 'https://outlook.office365.com/.default' })
    assert.equal((await sendOne(service)).status, 'SENT')
    assert.deepEqual(Object.fromEntries(endpoint.asked[0] ?? []), {
      grant_type: 'client_credentials',
      client_id: 'client',
      client_secret: 'a secret',
      scope: 'https://outlook.office365.com/.default',
    })
  })

  it('that is not issued keeps the mails waiting with the reason, as does a refusal in words alone', async () => {
    let answer: Answer = {
      status: 400,
      body: { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' },
    }
    await using endpoint = await startTokenEndpoint(() => answer)
    await using service = await serve(oauth(endpoint.url))
    const { status, error } = await sendOne(service)
    assert.deepEqual(
      [status, error],
      ['PENDING', 'SMTP_TOKEN_URL answers 400: invalid_grant: Token has been expired or revoked.'],
    )
    answer = { body: { access_token: 'two words' } }
    assert.equal((await sendOne(service)).error, 'SMTP_TOKEN_URL has sent no access token.')
    answer = { body: { access_token: 'x'.repeat(100_000) } }
    assert.equal((await sendOne(service)).error, 'SMTP_TOKEN_URL does not work: The answer is too long.')
    await using strict = await startMailServer({
      authMethods: ['XOAUTH2'],
      onAuth: (_auth, _session, done) => done(refusal(535, '5.7.3 Authentication unsuccessful')),
    })
    writeFileSync(file, 'first')
    const url = `smtp://${encodeURIComponent(user)}@127.0.0.1:${strict.port}`
    await using other = await serve({ SMTP_URL: url, SMTP_TOKEN_FILE: file })
    assert.equal((await sendOne(other)).error, 'AUTH XOAUTH2: 535 5.7.3 Authentication unsuccessful')
  })

  it('has complete settings at the start', () => {
    const url = 'https://login.example/token'
    const faults: [Record<string, string>, RegExp][] = [
      [{}, /SMTP_URL: must have a password, or SMTP_TOKEN_FILE or SMTP_TOKEN_URL is set/],
      [{ SMTP_TOKEN_FILE: file, SMTP_TOKEN_URL: url }, /SMTP_TOKEN_FILE: must be absent/],
      [{ SMTP_TOKEN_URL: url }, /SMTP_CLIENT_ID: is required/],
      [{ SMTP_TOKEN_URL: url, SMTP_CLIENT_ID: 'a' }, /requires SMTP_REFRESH_TOKEN or SMTP_CLIENT_SECRET/],
      [{ SMTP_TOKEN_URL: 'http://login.example/token' }, /SMTP_TOKEN_URL: must be an address/],
    ]
    for (const [settings, fault] of faults)
      assert.throws(
        () => loadConfig({ SMTP_URL: 'smtp://me@mail.example', ...settings, DATA_DIR: folder }, folder),
        fault,
      )
  })
})
