import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { pino } from 'pino'
import { createFixedWindow } from '../../../src/api/http/rate-limit/fixed-window.ts'
import { ServiceError } from '../../../src/core/errors.ts'
import { SignInBackoff } from '../../../src/identity/session/backoff.ts'
import { inspect } from '../../support/database/inspect.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { startService, type TestService } from '../../support/service.ts'
import { nextHash } from '../hash-count.ts'
import { Flood, readFigure } from '../sign-in-flood.ts'
import { giveUnknownSlowHash } from '../slow-hash.ts'

/** Four of them find room in the queue. */
const sent = 12

onEitherDatabase('A sign-in that there is no room for', (database) => {
  const log: string[] = []
  let service: TestService
  before(async () => {
    service = await startService(
      database,
      {},
      {
        hashLimits: { maxConcurrent: 1, maxQueueMs: 1 },
        log: pino({ level: 'warn' }, { write: (lines) => void log.push(lines) }),
      },
    )
  })
  after(() => service.stop())

  it('is answered with 503, and with when to come again', async () => {
    await giveUnknownSlowHash(service, 'admin')
    const begun = nextHash()
    const slow = service.signIn('admin').catch(String)
    await begun
    const answers = [...(await new Flood(service, sent).end())]
    assert.match(String(await slow), /401/)
    const refused = answers.filter(({ status }) => status === 503)
    const judged = answers.filter(({ status }) => status === 401)
    assert.equal(refused.length + judged.length, sent)
    assert.ok(refused.length >= sent / 3, `${refused.length} were refused`)
    for (const answer of refused) {
      const message = 'The service is overloaded right now. Try again shortly.'
      assert.deepEqual(await answer.json(), { message })
      assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    }
    assert.equal(await readFigure(service, 'password_hashes_total{outcome="refused"}'), refused.length)
    const refusals = `SELECT id FROM audit WHERE action = 'session.refused'`
    assert.equal((await inspect(service.config.databaseUrl, refusals)).length, judged.length + 1)
  })

  it('leaves one line in the log for all of them, beside those of the requests', () => {
    const lines = log.join('').trimEnd().split('\n')
    const messages = lines.map((line) => JSON.parse(line).msg)
    const others = messages.filter((text) => text !== 'request' && !text.startsWith('TRUST_PROXY=true'))
    assert.deepEqual(others, ['password hashing overloaded'])
  })

  it('was not judged, and counts as no failure', async () => {
    const { executor } = (await service.service.operator()).shared.catalogueDatabase
    const limiter = (name: string, requests: number, seconds: number) =>
      createFixedWindow(executor, { name, requests, seconds })
    const failures = limiter('test-failure', Number.MAX_SAFE_INTEGER, 900)
    const backoff = new SignInBackoff(failures, limiter('test-wait', 1, 1))
    const ada = { network: 'ada', newNetworks: null }
    const overloaded = () => Promise.reject(new ServiceError('overloaded'))
    const isRefused = { kind: 'overloaded' }
    for (let count = 0; count < 8; count++) await assert.rejects(backoff.attempt(ada, overloaded), isRefused)
    assert.equal(await failures.get('ada'), null)
    // The fifth failure has to wait for its turn, which is not used up by what is not judged.
    for (let count = 0; count < 4; count++) assert.equal(await backoff.attempt(ada, async () => null), null)
    for (let count = 0; count < 3; count++) await assert.rejects(backoff.attempt(ada, overloaded), isRefused)
    assert.equal(await backoff.attempt(ada, async () => null), null)
    await assert.rejects(
      backoff.attempt(ada, async () => 'current'),
      { kind: 'tooManyRequests' },
    )
  })
})
