/** Tokens that are used once: by one of many, until they expire, for one purpose and one tenant. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Context } from '../../../src/core/context.ts'
import { tenantContext } from '../../../src/core/create-context.ts'
import { intervalJobsOf } from '../../../src/core/jobs.ts'
import { lookUpTenant } from '../../../src/core/tenant/directory.ts'
import { inCatalogue } from '../../../src/core/transaction.ts'
import {
  countGuess,
  issueToken,
  peekToken,
  redeemToken,
  tokenPurpose,
  withdrawTokens,
} from '../../../src/identity/one-time-token/one-time-token.ts'
import type { TestClock } from '../../support/clock.ts'
import { onEachDatabase } from '../../support/databases.ts'
import type { TestTenant } from '../../support/service.ts'
import { type IdentityService, rivals, sharedIdentityService } from '../identity-service.ts'

const reset = tokenPurpose<{ email: string }>('test-reset', 60_000)
const invitation = tokenPurpose<{ email: string }>('test-invitation', 60_000)
const userId = '018f3a54-0000-7000-8000-000000000001'

onEachDatabase('One-time tokens', (database) => {
  let service: IdentityService
  let clock: TestClock
  let tenant: TestTenant
  let context: Context
  before(async () => {
    service = await sharedIdentityService(database)
    clock = service.clock
    tenant = await service.newTenant()
    context = await service.service.operator()
  })
  after(() => service.stop())

  const issue = async (): Promise<string> => {
    const issued = await inCatalogue(context, (inside) =>
      issueToken(inside, reset, { accountId: userId, data: { email: 'ada@example.com' } }),
    )
    return issued.token
  }
  const redeem = (token: string) => inCatalogue(context, (inside) => redeemToken(inside, reset, token))

  it('are used by one of many at once', async () => {
    const token = await issue()
    const used = await Promise.all(Array.from({ length: rivals }, () => redeem(token)))
    assert.deepEqual(
      used.filter((each) => each !== null).map(({ accountId, data }) => [accountId, data]),
      [[userId, { email: 'ada@example.com' }]],
    )
  })

  it('are not valid for another purpose, in another tenant, when mistyped or when expired', async () => {
    const token = await issue()
    assert.equal(await inCatalogue(context, (inside) => redeemToken(inside, invitation, token)), null)
    const { shared } = context
    const acme = await lookUpTenant(context, tenant.id)
    assert.ok(acme)
    const elsewhere = tenantContext(shared, acme, shared.catalogueDatabase)
    assert.equal(await inCatalogue(elsewhere, (inside) => redeemToken(inside, reset, token)), null)
    assert.equal(await redeem(`${token}x`), null)
    assert.notEqual(await peekToken(context, reset, token), null)
    clock.advance({ seconds: 60 })
    assert.equal(await peekToken(context, reset, token), null)
    assert.equal(await redeem(token), null)
  })

  it('are withdrawn with all others of the user for the purpose', async () => {
    const tokens = [await issue(), await issue()]
    await inCatalogue(context, (inside) => withdrawTokens(inside, userId, invitation))
    assert.notEqual(await peekToken(context, reset, tokens[0] ?? ''), null)
    await inCatalogue(context, (inside) => withdrawTokens(inside, userId, reset))
    for (const token of tokens) assert.equal(await redeem(token), null)
  })

  it('allow so many guesses and no more, also at once', async () => {
    const token = await issue()
    const guess = () => inCatalogue(context, (inside) => countGuess(inside, reset, { token, allowed: 3 }))
    const allowed = await Promise.all(Array.from({ length: 10 }, guess))
    assert.equal(allowed.filter(Boolean).length, 3)
    assert.equal(await redeem(token), null)
  })

  it('are removed when they have expired', async () => {
    await issue()
    clock.advance({ seconds: 61 })
    const job = intervalJobsOf(service.service.features).find(({ name }) => name.includes('one-time tokens'))
    await job?.run(context, new AbortController().signal)
    const { rows } = await context.shared.catalogueDatabase.executor.run(
      "SELECT count(*) AS count FROM one_time_token WHERE purpose = 'test-reset'",
      [],
      false,
    )
    assert.equal(Number(rows[0]?.['count']), 0)
  })
})
