/** Moments in queries and bodies: within the years that both databases have, and read as UTC. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Answer, Client } from '../../../support/client.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { assertError } from '../../../support/error.ts'
import { sharedService, type TestService, uniqueName } from '../../../support/service.ts'
import { publish } from '../../../support/webhooks/delivery-scene.ts'

const outside = [
  '9999-12-31T23:59:59-01:00',
  '0001-01-01T00:00:00+00:01',
  '0000-06-01T00:00:00Z',
  '+010000-01-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-01-31T24:00:00Z',
]
const inside = [
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59+14:00',
  '0001-01-01T00:00:00Z',
  '0000-12-31T23:30:00-01:00',
]

onEachDatabase('A moment', (database) => {
  let service: TestService
  let admin: Client
  let subscription: string
  before(async () => {
    service = await sharedService(database)
    admin = (await service.newTenant()).admin
    const made = await admin.post('/api/webhooks/subscriptions', {
      url: 'https://receiver.example/hooks',
      events: ['thing.*'],
    })
    assert.equal(made.status, 201, made.text)
    subscription = `/api/webhooks/subscriptions/${made.body.id}`
    await publish(admin)
    await service.service.queueWorkers.drain()
  })
  after(() => service.stop())

  const inQuery = (path: string, name: string) => (moment: string) =>
    admin.get(`${path}?${new URLSearchParams({ [name]: moment })}`)
  const places = (): Record<string, (moment: string) => Promise<Answer>> => ({
    since: inQuery('/api/webhooks/deliveries', 'since'),
    until: inQuery(`${subscription}/deliveries`, 'until'),
    'since ': inQuery('/api/webhooks/receipts', 'since'),
    'until ': inQuery('/api/webhooks/receipts', 'until'),
    'createdAt[lt]': inQuery('/api/products', 'createdAt[lt]'),
    'createdAt[nin]': inQuery('/api/orders', 'createdAt[nin]'),
    'since of a recovery': (since) => admin.post(`${subscription}/recover`, { since }),
    'until of a recovery': (until) =>
      admin.post(`${subscription}/recover`, { since: '2026-01-01T00:00:00Z', until }),
  })

  it('outside of the years 1 to 9999, or that is none, is refused wherever it is given', async () => {
    for (const [place, send] of Object.entries(places()))
      for (const moment of outside) {
        const [name = ''] = place.split(' ')
        assertError(await send(moment), 400, new RegExp(`^${name.replaceAll(/[[\]]/g, '\\$&')}: `))
      }
    for (const expiresAt of outside) {
      const key = { name: uniqueName('key'), permissions: ['order:read'], expiresAt }
      assertError(await admin.post('/api/api-keys', key), 400, /^expiresAt: /)
    }
  })

  it('inside of them in UTC is taken, whatever its offset', async () => {
    for (const [place, send] of Object.entries(places()))
      for (const moment of inside) {
        const { status, text } = await send(moment)
        assert.ok(status === 200 || status === 202, `${place} ${moment}: ${text}`)
      }
  })

  it('is compared and stored in UTC', async () => {
    const [delivery] = (await admin.get('/api/webhooks/deliveries')).body
    const at = Date.parse(delivery.createdAt)
    const withOffset = (ms: number) => new Date(ms + 14 * 3_600_000).toISOString().replace('Z', '+14:00')
    const { since } = places()
    const found = async (ms: number) => (await since?.(withOffset(ms)))?.body.length
    assert.deepEqual([await found(at), await found(at + 1)], [1, 0])
    const expiresAt = '9999-12-31T23:59:59.9999+14:00'
    const made = await admin.post('/api/api-keys', { name: 'far', permissions: ['order:read'], expiresAt })
    assert.equal(made.body.expiresAt, '9999-12-31T09:59:59.999Z', made.text)
  })
})
