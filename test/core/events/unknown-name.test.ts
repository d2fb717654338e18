/** Names of events and actions that no feature declares: accepted with a report, or refused. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { pino } from 'pino'
import { Type } from 'typebox'
import { action } from '../../../src/core/feature/action.ts'
import type { Feature } from '../../../src/core/feature/feature.ts'
import type { Answer, Client } from '../../support/client.ts'
import { assertError } from '../../support/error.ts'
import { startService, type TestService } from '../../support/service.ts'

const subscriptions = '/api/webhooks/subscriptions'
const rules = '/api/webhooks/rules'
const url = 'https://example.com/hooks'
const strict = { prefer: 'handling=strict' }

const parcelFeature: Feature = {
  name: 'parcel',
  events: { 'parcel.shipped': { summary: 'A parcel left.', payload: Type.Object({}) } },
  actions: { 'parcel.return': action({ access: 'user', run: async () => undefined }) },
}

describe('A name that no feature declares', () => {
  const lines: { msg: string; [member: string]: unknown }[] = []
  let service: TestService
  let user: Client
  before(async () => {
    const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) })
    service = await startService('sqlite', {}, { log, features: [parcelFeature] })
    user = (await service.newTenant()).user
  })
  after(() => service.stop())

  const unknown = ({ headers }: Answer) => headers.get('x-unknown-names')
  const subscribe = (events: string[], headers = {}) => user.post(subscriptions, { url, events }, headers)
  const rule = (name: string, headers = {}) =>
    user.post(rules, { provider: 'hub', eventType: '*', action: name }, headers)
  const publish = (type: string, headers = {}) => user.post('/api/events', { type, data: {} }, headers)

  const told: [event: string, header: string | null][] = [
    ['product.created', null],
    ['parcel.shipped', null],
    ['parcel.*', null],
    ['*', null],
    ['prodct.created', 'prodct.created; did-you-mean=product.created'],
    ['product.craeted', 'product.craeted; did-you-mean=product.created'],
    ['Order.Paid', 'Order.Paid; did-you-mean=order.paid'],
    ['ordr.*', 'ordr.*; did-you-mean=order.*'],
    ['order.created.*', 'order.created.*'],
    ['my-shop.opened', 'my-shop.opened'],
    ['1a.b', '"1a.b"'],
  ]
  for (const [event, header] of told) {
    it(`of an event is ${header === null ? 'not' : ''} told of: ${event}`, async () => {
      const marked = header === null ? [] : [event]
      let path = ''
      for (const form of ['/api/v1/webhooks', subscriptions]) {
        const made = await user.post(form, { url, events: ['order.created', event] })
        assert.deepEqual([made.status, unknown(made), made.body.unknownEvents], [201, header, marked])
        path = `${subscriptions}/${made.body.id}`
      }
      const { body } = await user.get(path)
      assert.deepEqual(body.unknownEvents, marked)
      const listed = (await user.get(subscriptions)).body.find(({ id }: { id: string }) => id === body.id)
      assert.deepEqual(listed.unknownEvents, marked)
      const changed = await user.send('PATCH', path, { events: [event] })
      assert.deepEqual([changed.status, unknown(changed), changed.body.unknownEvents], [200, header, marked])
      const paused = await user.send('PATCH', path, { isActive: false })
      assert.deepEqual([unknown(paused), paused.body.unknownEvents], [null, marked])
    })
  }

  it('of an event is refused where no event can ever have it', async () => {
    for (const event of ['order', 'Order', 'a_b']) {
      const reason = 'must be a name of two words or more (order.created), all of a noun (order.*), or *'
      assertError(await subscribe(['order.created', event]), 400, `events.1: ${reason}`)
    }
  })

  it('of an event is told of when one is published, and when deliveries are listed by it', async () => {
    assert.equal(unknown(await publish('shop.opened')), 'shop.opened')
    assert.equal(unknown(await publish('parcel.shiped')), 'parcel.shiped; did-you-mean=parcel.shipped')
    const paths = [
      '/api/webhooks/deliveries',
      `${subscriptions}/${(await subscribe(['*'])).body.id}/deliveries`,
    ]
    for (const path of paths) {
      const listed = await user.get(`${path}?eventType=order.payd`)
      assert.deepEqual([listed.status, unknown(listed)], [200, 'order.payd; did-you-mean=order.paid'])
      assert.equal(unknown(await user.get(`${path}?eventType=order.paid`)), null)
      assertError(await user.get(`${path}?eventType=order.payd`, strict), 400, /did you mean order\.paid\?$/)
    }
  })

  const actions: [name: string, header: string | null][] = [
    ['log', null],
    ['order.pay', null],
    ['parcel.return', null],
    ['order.payy', 'order.payy; did-you-mean=order.pay'],
    ['Log', 'Log; did-you-mean=log'],
    ['my.own', 'my.own'],
    ['any name, "quoted\\"', '"any name, \\"quoted\\\\\\""'],
    ['größe\n', '"gr%C3%B6%C3%9Fe"'],
  ]
  for (const [name, header] of actions) {
    it(`of an action is ${header === null ? 'not' : ''} told of: ${JSON.stringify(name)}`, async () => {
      const made = await rule(name)
      assert.deepEqual([made.status, unknown(made)], [201, header])
      assert.equal(made.body.unknownAction, header !== null)
      const listed = (await user.get(rules)).body.find(({ id }: { id: string }) => id === made.body.id)
      assert.deepEqual(listed, made.body)
      const changed = await user.send('PATCH', `${rules}/${made.body.id}`, { action: name })
      assert.deepEqual([changed.status, unknown(changed), changed.body], [200, header, made.body])
    })
  }

  it('is refused by strict handling, with the nearest name, and nothing is done', async () => {
    const count = (await user.get(subscriptions)).body.length
    const reason = 'no feature declares prodct.created; did you mean product.created?'
    const answer = await subscribe(['order.created', 'prodct.created'], strict)
    assertError(answer, 400, `events.1: ${reason}`)
    assertError(
      await rule('order.payy', strict),
      400,
      'action: no feature declares order.payy; did you mean order.pay?',
    )
    assertError(await publish('shop.opened', strict), 400, 'type: no feature declares shop.opened')
    assert.equal((await user.get(subscriptions)).body.length, count)
    const { body } = await subscribe(['order.created'], strict)
    const changed = await user.send('PATCH', `${subscriptions}/${body.id}`, { events: ['ordr.*'] }, strict)
    assertError(changed, 400, 'events.0: no feature declares ordr.*; did you mean order.*?')
    const known = await publish('parcel.shipped', strict)
    assertError(known, 403, 'Only an administrator may publish an event of the catalogue.')
  })

  it('is told of with every repetition of a request by its Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'again' }
    for (let count = 0; count < 2; count++) {
      assert.equal(
        unknown(await subscribe(['prodct.created'], key)),
        'prodct.created; did-you-mean=product.created',
      )
    }
  })

  it('is named once among many, of which a reply names twenty', async () => {
    const events = Array.from({ length: 100 }, (_, index) => `${'x'.repeat(90)}.y${index}`)
    const answer = await subscribe(['a.b', 'a.b', ...events])
    assert.equal(answer.status, 400)
    const made = await subscribe(['a.b', 'a.b', ...events.slice(2)])
    assert.equal(unknown(made)?.split(', ').length, 19)
    assert.equal(made.body.unknownEvents.length, 100)
  })

  it('is a line of the log, once for each tenant', async () => {
    const other = (await service.newTenant()).user
    lines.length = 0
    for (const client of [user, other, user, other])
      await client.post('/api/events', { type: 'one.event', data: {} })
    const found = lines.filter(({ msg }) => msg === 'no feature declares this name')
    assert.deepEqual(
      found.map(({ level, name, meant }) => [level, name, meant]),
      [
        [30, 'one.event', null],
        [30, 'one.event', null],
      ],
    )
    assert.equal(new Set(found.map(({ tenantId }) => tenantId)).size, 2)
  })
})
