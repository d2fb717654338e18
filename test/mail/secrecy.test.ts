/** What mails say, where it is and is not: encrypted until they are sent, and in no list. */
import assert from 'node:assert/strict'
import { copyFileSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pino } from 'pino'
import { newId } from '../../src/core/id.ts'
import { runInterval } from '../jobs/work-feature.ts'
import { TestClock } from '../support/clock.ts'
import { inspect } from '../support/database/inspect.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { assertError } from '../support/error.ts'
import { freePort } from '../support/free-port.ts'
import { startService } from '../support/service.ts'
import { greet, greetingFeature, secretUrl } from './mail-feature.ts'

const token = '2f9c1f1e6f5d4b0a8d7e'

describe('A mail that waits', () => {
  it('has its link in no file and no list', async () => {
    const settings = { SMTP_URL: `smtp://127.0.0.1:${await freePort()}` }
    const service = await startService('sqlite', settings, { features: [greetingFeature] })
    await greet(service, 'default', 'ada@acme.example')
    await service.service.queueWorkers.drain()
    const shown = JSON.stringify((await service.host.get('/api/mails')).body)
    assert.match(shown, /PENDING/)
    const files = readdirSync(service.dataDir).map((name) => join(service.dataDir, name))
    const contents = files
      .filter((path) => statSync(path).isFile())
      .map((path) => readFileSync(path, 'latin1'))
    assert.ok(
      contents.some((content) => content.includes('ada@acme.example')),
      'the row is not in the files',
    )
    for (const content of [shown, ...contents]) assert.ok(!content.includes(token))
    await service.stop()
  })
})

describe('A mail that the mail server quotes in its refusal', () => {
  it('has nothing of its token in the error, also if another value is a part of the token', async () => {
    const mailTransport = {
      send: async () => {
        throw new Error(`554 refused: ${token}`)
      },
    }
    const service = await startService('sqlite', {}, { features: [greetingFeature], mailTransport })
    await greet(service, 'default', 'ada@acme.example', {
      values: { name: token.slice(0, 8), url: secretUrl },
    })
    await service.service.queueWorkers.drain()
    assert.equal((await service.host.get('/api/mails')).body[0].error, '554 refused: […]')
    await service.stop()
  })
})

describe('Without a mail server', () => {
  it('mails are kept in a folder in development, and the log names the file', async () => {
    const lines: { msg: string; file?: string }[] = []
    const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) })
    const service = await startService('sqlite', {}, { features: [greetingFeature], log })
    await greet(service, 'default', 'ada@acme.example')
    await service.service.queueWorkers.drain()
    const file = lines.find(({ msg }) => msg === 'mail kept')?.file ?? ''
    assert.equal(file.startsWith(join(service.dataDir, 'mail')), true)
    assert.match(readFileSync(file, 'utf8'), /^To: ada@acme\.example\r$/m)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.equal(statSync(join(service.dataDir, 'mail')).mode & 0o777, 0o700)
    const folder = join(service.dataDir, 'mail')
    const others = Array.from({ length: 199 }, () => `${newId()}-test.greet.eml`)
    for (const name of others) copyFileSync(file, join(folder, name))
    await greet(service, 'default', 'ada@acme.example')
    await service.service.queueWorkers.drain()
    const kept = readdirSync(folder).filter((name) => name.endsWith('.eml'))
    assert.equal(kept.length, 200)
    assert.ok(others.every((name) => kept.includes(name)))
    assert.ok(!kept.some((name) => file.endsWith(name)), 'the oldest is kept')
    await service.stop()
  })

  it('text and links of a mail are read in development, by the administrators of its tenant alone', async () => {
    const service = await startService('sqlite', {}, { features: [greetingFeature] })
    const [tenant, other] = [await service.newTenant(), await service.newTenant()]
    const id = await greet(service, tenant.id, 'ada@acme.example')
    await service.service.queueWorkers.drain()
    const path = `/api/mails/${id}/content`
    const { status, body, headers } = await tenant.admin.get(path)
    assert.deepEqual([status, headers.get('cache-control')], [200, 'no-store'])
    assert.deepEqual(body.links, [{ label: 'Open', url: secretUrl }])
    assert.match(body.subject, /^Welcome to .*, Ada$/)
    assert.ok(body.text.includes(secretUrl) && body.text.startsWith('Dear Ada,'), body.text)
    const file = readdirSync(join(service.dataDir, 'mail')).find((name) => name === `${id}.json`)
    assert.equal(statSync(join(service.dataDir, 'mail', file ?? '')).mode & 0o777, 0o600)
    assert.equal((await tenant.user.get(path)).status, 403)
    for (const foreign of [other.admin, service.host]) assert.equal((await foreign.get(path)).status, 404)
    assert.equal((await tenant.admin.get(`/api/mails/${newId()}/content`)).status, 404)
    await service.stop()
  })

  it('none is sent in production, which the start says', async () => {
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) })
    const settings = { NODE_ENV: 'production', HOST: '127.0.0.1' }
    const service = await startService('sqlite', settings, { features: [greetingFeature], log })
    assert.match(lines.join(''), /no mail is sent, because SMTP_URL is not set/)
    const id = await greet(service, 'default', 'ada@acme.example')
    await service.service.queueWorkers.drain()
    const [mail] = (await service.host.get('/api/mails')).body
    assert.deepEqual([mail.status, mail.attempts, mail.isRetriable], ['DEAD', 0, true])
    assert.match(mail.error, /SMTP_URL/)
    assert.equal((await service.host.post(`/api/mails/${id}/retry`)).status, 400)
    assertError(await service.host.get(`/api/mails/${id}/content`), 404, /in development alone/)
    assert.ok(!readdirSync(service.dataDir).includes('mail'))
    await service.stop()
  })
})

onEitherDatabase('What a mail says', (database) => {
  it('is deleted when it was sent or has expired, and the mail itself after some days', async () => {
    const clock = new TestClock()
    const options = { features: [greetingFeature], clock: clock.now }
    const settings = { SMTP_URL: `smtp://127.0.0.1:${await freePort()}`, MAIL_RETRY_SECONDS: '1' }
    const service = await startService(database, settings, options)
    const stored = () =>
      inspect(service.config.databaseUrl, 'SELECT content IS NULL AS is_gone, status FROM mail ORDER BY id')
    const expiresAt = new Date(clock.now().getTime() + 600_000)
    await greet(service, 'default', 'ada@acme.example', { expiresAt })
    await greet(service, 'default', 'ada@acme.example')
    for (const seconds of [0, 1]) {
      clock.advance({ seconds })
      await service.service.queueWorkers.drain()
    }
    const gone = async () => (await stored()).map((row) => [Boolean(row['is_gone']), row['status']])
    assert.deepEqual(await gone(), [
      [false, 'DEAD'],
      [false, 'DEAD'],
    ])
    clock.advance({ seconds: 600 })
    await runInterval(service, 'retention of mails')
    assert.deepEqual(await gone(), [
      [true, 'DEAD'],
      [false, 'DEAD'],
    ])
    clock.advance({ days: 29 })
    await runInterval(service, 'retention of mails')
    assert.equal((await gone()).length, 2)
    clock.advance({ days: 1 })
    await runInterval(service, 'retention of mails')
    assert.deepEqual(await gone(), [])
    assert.ok(secretUrl.includes(token))
    await service.stop()
  })
})
