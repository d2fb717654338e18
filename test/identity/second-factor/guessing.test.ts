/** Guessing codes with the right password. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { CollectedMails } from '../../../src/testing/collected-mails.ts'
import { type FactorUser, mfaToken, newFactorUser, verify } from '../../support/authenticator-app.ts'
import type { Answer } from '../../support/client.ts'
import type { TestClock } from '../../support/clock.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import type { TestTenant } from '../../support/service.ts'
import { type IdentityService, sharedIdentityService } from '../identity-service.ts'

const hours = 60 * 60
/** The chance that one guess is right: three codes are, of a million. */
const chance = 3 / 1e6

onEitherDatabase('Guessing the codes of a second factor', (database) => {
  let service: IdentityService
  let clock: TestClock
  let mails: CollectedMails
  let tenant: TestTenant
  before(async () => {
    service = await sharedIdentityService(database)
    clock = service.clock
    mails = service.mails
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  const guess = async (user: FactorUser, code = user.app.wrongCode()): Promise<Answer> =>
    verify(service, tenant.id, { token: await mfaToken(service, user), code })

  /** Guesses as soon as it is allowed, with a new sign-in each time. @returns the seconds before each guess */
  const waitsOf = async (user: FactorUser, guesses: number): Promise<number[]> => {
    const waits: number[] = []
    while (waits.length < guesses) {
      const answer = await guess(user)
      if (answer.status === 401) waits.push(0)
      else {
        assertError(answer, 429, 'Too many wrong codes. Try again later.')
        const seconds = Number(answer.headers.get('retry-after'))
        clock.advance({ seconds: seconds + 1 })
        assertError(await guess(user), 401, /^The code/)
        waits.push(seconds)
      }
    }
    return waits
  }

  it('is slowed down to one guess in an hour, so that 10 000 take more than 250 days', async () => {
    const user = await newFactorUser(service, clock, tenant.id)
    const waits = await waitsOf(user, 14)
    assert.deepEqual(waits.slice(0, 5), [0, 0, 0, 0, 0])
    const expected = [30, 60, 120, 240, 480, 960, 1920, 3600, 3600]
    for (const [index, seconds] of expected.entries()) {
      const waited = waits[5 + index] ?? 0
      assert.ok(waited <= seconds && waited > seconds - 5, `${waits}`)
    }
    // Whoever pauses for a day begins anew: no more guesses in a day than in the first one.
    const inFirstDay =
      waits.length - 2 + (24 * hours - waits.reduce((sum, wait) => sum + wait, 0)) / (1 * hours)
    assert.ok(inFirstDay < 40, `${inFirstDay}`)
    assert.ok(10_000 / inFirstDay > 250 && inFirstDay * chance < 1 / 5000)
    const told = () =>
      mails.list().filter(({ to, text }) => to === user.email && /several wrong codes/.test(text))
    await eventually('the mail', soonMs, async () => told().length === 1)
  })

  it('is not faster with many at once', async () => {
    const user = await newFactorUser(service, clock, tenant.id)
    const tokens = await Promise.all(Array.from({ length: 12 }, () => mfaToken(service, user)))
    const code = user.app.wrongCode()
    const answers = await Promise.all(tokens.map((token) => verify(service, tenant.id, { token, code })))
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length
    assert.deepEqual([count(401), count(429)], [5, 7])
    assertError(await guess(user, user.app.code(1)), 429)
  })

  it('of recovery codes, and in a step-up, counts together', async () => {
    const user = await newFactorUser(service, clock, tenant.id)
    for (let count = 0; count < 2; count++) assertError(await guess(user), 401)
    for (let count = 0; count < 2; count++) assertError(await guess(user, 'AAAA-BBBB-CCCC-DDDD'), 401)
    const stepUp = () => user.client.post('/api/auth/step-up', { code: user.app.wrongCode() })
    assertError(await stepUp(), 400, 'code: is wrong')
    assertError(await stepUp(), 429)
    assertError(await guess(user), 429)
  })

  it('uses a token up after five wrong codes', async () => {
    const user = await newFactorUser(service, clock, tenant.id)
    const token = await mfaToken(service, user)
    const code = user.app.wrongCode()
    for (let count = 0; count < 5; count++)
      assertError(await verify(service, tenant.id, { token, code }), 401, /^The code/)
    clock.advance({ seconds: 31 })
    const answer = await verify(service, tenant.id, { token, code: user.app.code() })
    assertError(answer, 401, 'The sign-in has expired. Begin it again.')
  })

  it('is forgotten after a right code', async () => {
    const user = await newFactorUser(service, clock, tenant.id)
    for (let round = 0; round < 3; round++) {
      for (let count = 0; count < 4; count++) assertError(await guess(user), 401)
      assert.equal((await guess(user, user.app.nextCode())).status, 200)
    }
  })

  it('of one user causes no wait for another', async () => {
    const [user, other] = [
      await newFactorUser(service, clock, tenant.id),
      await newFactorUser(service, clock, tenant.id),
    ]
    await waitsOf(user, 5)
    assertError(await guess(user, user.app.code(1)), 429)
    assert.equal((await guess(other, other.app.nextCode())).status, 200)
  })
})
