/** Large bodies, built to be slow to validate. `large-input.fault.test.ts` tries all of them. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertError } from '../../../support/error.ts'
import {
  atAnyCost,
  sharedService,
  startService,
  type TestService,
  type TestTenant,
} from '../../../support/service.ts'
import { assertCheap } from './large/cost.ts'
import { largeMessages, largeWebhooks } from './large/messages.ts'
import { largeHeaders, largeRequests, limitBytes } from './large/requests.ts'
import { sheetFeature } from './large/sheet.ts'
import { largeValues } from './large/values.ts'

describe('Input as large as it may be', () => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService('sqlite', {}, { ...atAnyCost, features: [sheetFeature] })
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  /** One kind for each member, another one for the next. */
  it('costs little in any member of any body', async () => {
    const all = largeRequests(service, service.host)
    const kinds = Object.keys(largeValues('0')).length
    const some = all.filter((_, place) => place % kinds === Math.floor(place / kinds) % kinds)
    assert.ok(some.length > 80, `only ${some.length} requests`)
    for (const request of some) await assertCheap(request)
  })

  it('costs little in any header', async () => {
    const some = largeHeaders(service.host).filter((_, place) => place % 7 === 0)
    for (const request of some) await assertCheap(request)
  })

  it('costs little as a list of duplicates, whether the schema bounds it or not', async () => {
    const { body } = await tenant.admin.get('/api/users')
    const zeros = `[${'0,'.repeat(limitBytes / 2 - 50)}0]`
    const put = () => tenant.admin.put(`/api/users/${body[0].id}`, `{"roles":${zeros}}`)
    await assertCheap({ title: 'roles', send: put })
    assertError(await put(), 400, /^roles\.0: must be string; .*roles\.7: must be string$/)
    const post = () => tenant.user.post('/api/sheets', `{"cells":${zeros}}`)
    await assertCheap({ title: 'cells', send: post })
    assertError(await post(), 400, 'body: is too large, or does not match its schema')
    const event = () => tenant.admin.post('/api/events', `{"type":"sheet.filled","data":{"cells":${zeros}}}`)
    await assertCheap({ title: 'an event', send: event })
    assertError(await event(), 400, /^data: does not match its schema/)
  })

  it('is told what is wrong with it in a few words', async () => {
    const headers = { ['x'.repeat(limitBytes / 2)]: 1 }
    const answer = await tenant.user.post('/api/webhooks/subscriptions', { url: 'x', events: ['*'], headers })
    assertError(answer, 400, /^headers\.x{190,200}…: must be string$/)
    const url = 'https://example.com'
    const withHeaders = (length: number) => {
      const many = Object.fromEntries(Array.from({ length }, (_, index) => [`h${index}`, 'a']))
      return tenant.user.post('/api/webhooks/subscriptions', { url, events: ['*'], headers: many })
    }
    assertError(await withHeaders(32_000), 400, 'headers: must have at most 20 members')
    const tooMany = 'The body has more than 32768 members, lists and objects.'
    assertError(await withHeaders(50_000), 400, tooMany)
  })

  it('costs little as a webhook, and as a message of a WebSocket', async () => {
    const all = [...(await largeWebhooks(service, tenant)), ...largeMessages(service, tenant)]
    for (const request of all.filter((_, place) => place % 7 === 0)) await assertCheap(request)
  })
})

describe('A moment', () => {
  const refused = ['2016-12-31T23:59:60Z', '2026-01-01T00:00:00Z[u-ca=hebrew]', '0000-12-31T23:59:59Z']
  const taken = ['0001-01-01T00:00:00Z', '2026-01-01t00:00:00.5+23:59', '9999-12-31T23:59:59Z']

  it('that no date can be made of is refused on both databases', async () => {
    for (const database of ['sqlite', 'postgres'] as const) {
      const service = await sharedService(database)
      try {
        for (const list of ['receipts', 'deliveries']) {
          const ask = (since: string) =>
            service.host.get(`/api/webhooks/${list}?since=${encodeURIComponent(since)}`)
          for (const since of refused) assertError(await ask(since), 400, 'since: must be a valid date-time')
          for (const since of taken) assert.equal((await ask(since)).status, 200, `${list} ${since}`)
        }
      } finally {
        await service.stop()
      }
    }
  })
})
