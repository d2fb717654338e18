/** Signing secrets: shown once, masked, stored encrypted, replaced with an overlap. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import {
  decryptSecrets,
  liveSecrets,
  maskSecret,
  maxLiveSecrets,
  rotate,
  type StoredSecret,
} from '../../../src/webhooks/subscriptions/secret.ts'
import { TestClock } from '../../support/clock.ts'
import { dump, inspect } from '../../support/database/inspect.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { startService, type TestService, type TestTenant, uniqueName } from '../../support/service.ts'
import { changeSubscription, path, readSubscription, receiver, register } from './registration.ts'

onEitherDatabase('The secret of a subscription', (database) => {
  const clock = new TestClock()
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService(database, {}, { clock: clock.now })
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  /** Those that sign a delivery now. */
  const signing = async (id: string): Promise<string[]> => {
    const { shared } = await service.service.operator()
    const url = service.config.databaseUrl
    const [row] = await inspect(url, `SELECT secrets FROM subscription WHERE id = '${id}'`)
    return liveSecrets(decryptSecrets(shared.secretBox, row?.['secrets'] as Uint8Array), clock.now())
  }
  const rotateTo = (id: string, body?: object, headers: Record<string, string> = {}) =>
    tenant.user.post(`${path}/${id}/rotate-secret`, body, headers)

  it('may be chosen, and is shown whole once', async () => {
    for (const secret of ['s', ' with blanks ', 'p\u00e4ss \u{1f511}', 'x'.repeat(256)]) {
      const made = await register(tenant.user, { secret })
      assert.equal(made.secret, secret)
      const shown = `whsec_****${secret.length > 4 ? secret.slice(-4) : ''}`
      assert.equal((await readSubscription(tenant.user, made.id)).secret, shown)
      assert.equal((await changeSubscription(tenant.user, made.id, { isActive: false })).body.secret, shown)
      assert.deepEqual(await signing(made.id), [secret])
    }
  })

  it('is another one for each subscription that chooses none', async () => {
    const made = await Promise.all(
      [{}, { secret: null }, {}].map((members) => register(tenant.user, members)),
    )
    assert.equal(new Set(made.map(({ secret }) => secret)).size, 3)
  })

  it('is in no row of the database, and neither is a header, also of a reply that is remembered', async () => {
    const hidden = uniqueName('hidden')
    const key = { 'idempotency-key': randomUUID() }
    const members = { ...receiver, secret: hidden, headers: { Authorization: `Bearer ${hidden}` } }
    const { body } = await tenant.user.post(path, members, key)
    await rotateTo(body.id, { secret: `${hidden}-next` }, { 'idempotency-key': randomUUID() })
    const rows = await dump(service.config.databaseUrl)
    assert.ok(rows.includes(body.id))
    assert.ok(!rows.includes(hidden))
  })

  it('is shown again when the registration is sent again with its key', async () => {
    const key = { 'idempotency-key': randomUUID() }
    const first = await tenant.user.post(path, receiver, key)
    const again = await tenant.user.post(path, receiver, key)
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    assert.deepEqual(again.body, first.body)
    assert.match(again.body.secret, /^whsec_[^*]{44}$/)
  })

  it('is rotated once by one key, and shown again', async () => {
    const { id } = await register(tenant.user)
    const key = { 'idempotency-key': randomUUID() }
    const first = await rotateTo(id, undefined, key)
    assert.deepEqual((await rotateTo(id, undefined, key)).body, first.body)
    assert.equal((await signing(id)).length, 2)
  })

  it('signs beside its successor for a day, or for as long as is asked for', async () => {
    for (const [body, hours] of [
      [undefined, 24],
      [{ overlapHours: 0.5 }, 0.5],
      [{ overlapHours: 168 }, 168],
    ] as const) {
      const made = await register(tenant.user)
      const { status, body: rotated, headers } = await rotateTo(made.id, body)
      assert.deepEqual([status, headers.get('etag')], [200, '"v2"'])
      assert.match(rotated.secret, /^whsec_[^*]{44}$/)
      assert.deepEqual(await signing(made.id), [rotated.secret, made.secret])
      clock.advance({ minutes: hours * 60 - 1 })
      assert.deepEqual(await signing(made.id), [rotated.secret, made.secret])
      clock.advance({ minutes: 2 })
      assert.deepEqual(await signing(made.id), [rotated.secret])
      tenant = { ...tenant, user: (await service.signIn('worker', tenant.id)).client }
      assert.equal(
        (await readSubscription(tenant.user, made.id)).secret,
        `whsec_****${rotated.secret.slice(-4)}`,
      )
    }
  })

  it('ends at once without an overlap, and with it all that were before', async () => {
    const { id } = await register(tenant.user, { secret: 'one' })
    await rotateTo(id, { secret: 'two' })
    assert.deepEqual(await signing(id), ['two', 'one'])
    assert.equal((await rotateTo(id, { secret: 'three', overlapHours: 0 })).body.secret, 'three')
    assert.deepEqual(await signing(id), ['three'])
  })

  it('is refused with an overlap or a length out of bounds', async () => {
    const { id } = await register(tenant.user)
    for (const overlapHours of [-1, 169, '24', null])
      assertError(await rotateTo(id, { overlapHours }), 400, /^overlapHours/)
    for (const secret of ['', 'x'.repeat(257)]) assertError(await rotateTo(id, { secret }), 400, /^secret/)
    assert.equal((await signing(id)).length, 1)
  })
})

describe('Secrets that are replaced', () => {
  const now = new Date('2026-03-01T12:00:00.000Z')
  const first: StoredSecret[] = [{ secret: 'a', until: null }]

  it('keep the end that they had, when it is nearer than that of the new overlap', () => {
    const second = rotate(first, 'b', { overlapHours: 1, now })
    const third = rotate(second, 'c', { overlapHours: 24, now })
    assert.deepEqual(liveSecrets(third, now), ['c', 'b', 'a'])
    assert.deepEqual(liveSecrets(third, new Date('2026-03-01T13:00:00.000Z')), ['c', 'b'])
    assert.deepEqual(liveSecrets(third, new Date('2026-03-02T12:00:00.000Z')), ['c'])
  })

  it('end sooner when the new overlap is shorter', () => {
    const second = rotate(first, 'b', { overlapHours: 100, now })
    const third = rotate(second, 'c', { overlapHours: 1, now })
    assert.deepEqual(liveSecrets(third, new Date('2026-03-01T13:00:00.000Z')), ['c'])
  })

  it('are forgotten when they have ended, or are the new one', () => {
    const later = new Date('2026-03-03T12:00:00.000Z')
    const second = rotate(first, 'b', { overlapHours: 1, now })
    assert.deepEqual(
      rotate(second, 'c', { overlapHours: 1, now: later }).map(({ secret }) => secret),
      ['c', 'b'],
    )
    assert.deepEqual(
      rotate(second, 'b', { overlapHours: 1, now }).map(({ secret }) => secret),
      ['b', 'a'],
    )
  })

  it('are ten at most', () => {
    let secrets = first
    for (let count = 1; count < maxLiveSecrets; count++)
      secrets = rotate(secrets, `${count}`, { overlapHours: 1, now })
    assert.equal(liveSecrets(secrets, now).length, maxLiveSecrets)
    assert.throws(() => rotate(secrets, 'more', { overlapHours: 1, now }), /overlapHours/)
    assert.deepEqual(liveSecrets(rotate(secrets, 'more', { overlapHours: 0, now }), now), ['more'])
  })

  it('are shown by no more than their last four characters', () => {
    assert.deepEqual(['a', 'abcd', 'abcde', 'whsec_abcdef'].map(maskSecret), [
      'whsec_****',
      'whsec_****',
      'whsec_****bcde',
      'whsec_****cdef',
    ])
  })
})
