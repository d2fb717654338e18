/** The log of deliveries over REST: filters, pages, and every attempt. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onEitherDatabase } from '../../../support/databases.ts'
import { assertError } from '../../../support/error.ts'
import { walkPages } from '../../../support/pages.ts'
import {
  answering,
  type Delivery,
  deliveries,
  delivery,
  onlyDelivery,
  publish,
  subscribe,
} from '../../../support/webhooks/delivery-scene.ts'
import { shareScene } from '../shared-scene.ts'

onEitherDatabase('The log of deliveries', (database) => {
  const scene = shareScene(database)

  it('shows the newest first, page by page, each once', async () => {
    const user = await scene.newUser()
    await subscribe(user, await scene.receiver())
    const ids: string[] = []
    for (let count = 0; count < 7; count++) ids.push(await publish(user))
    await scene.look()
    const pages = await walkPages(user, '/api/webhooks/deliveries?limit=3')
    assert.deepEqual(
      pages.map(({ body }) => body.length),
      [3, 3, 1],
    )
    const shown: string[] = pages.flatMap(({ body }) => body.map(({ eventId }: Delivery) => eventId))
    assert.deepEqual(shown.toSorted(), ids.toSorted())
    const own = shown.length
    assert.equal(own, 7)
  })

  it('is filtered by subscription, type, status and time', async () => {
    const user = await scene.newUser()
    const good = await subscribe(user, await scene.receiver(), { events: ['good.*'] })
    const bad = await subscribe(user, await scene.receiver(answering(500)), {
      events: ['bad.*'],
      retrySeconds: [],
    })
    await publish(user, 'good.thing')
    await publish(user, 'bad.thing')
    await scene.look()
    const types = async (query: string) => (await deliveries(user, query)).map(({ eventType }) => eventType)
    assert.deepEqual(await types(`&subscriptionId=${good.toUpperCase()}`), ['good.thing'])
    assert.deepEqual(await types('&eventType=bad.thing'), ['bad.thing'])
    assert.deepEqual(await types('&status=SUCCEEDED'), ['good.thing'])
    assert.deepEqual(await types('&status=DEAD'), ['bad.thing'])
    assert.deepEqual(await types('&status=PENDING'), [])
    const [first] = await deliveries(user)
    assert.ok(first)
    assert.deepEqual((await types(`&since=${first.createdAt}`)).length, 2)
    assert.deepEqual(await types(`&until=${first.createdAt}`), [])
    const elsewhere = new Date(Date.parse(first.createdAt) + 60_000).toISOString().replace('Z', '+00:00')
    assert.deepEqual(await types(`&since=${encodeURIComponent(elsewhere)}`), [])
    const ofBad = await user.get(`/api/webhooks/subscriptions/${bad}/deliveries`)
    assert.deepEqual(
      ofBad.body.map(({ eventType }: Delivery) => eventType),
      ['bad.thing'],
    )
    const pages = await walkPages(user, `/api/webhooks/subscriptions/${bad}/deliveries?limit=1&status=DEAD`)
    assert.equal(pages.length, 1)
  })

  it('is sorted, counted and chosen by member, over GraphQL too', async () => {
    const user = await scene.newUser()
    const other = await scene.newUser()
    const id = await subscribe(user, await scene.receiver(), { events: ['*'] })
    const events = [await publish(user, 'good.thing'), await publish(user, 'good.thing')]
    await scene.look()
    const query = 'eventType[neq]=bad.thing&sort=createdAt&fields=eventId,eventType&count=true'
    for (const path of ['/api/webhooks/deliveries', `/api/webhooks/subscriptions/${id}/deliveries`]) {
      const { body, headers, text } = await user.get(`${path}?${query}&limit=1`)
      assert.deepEqual(body, [{ eventId: events[0], eventType: 'good.thing' }], text)
      assert.equal(headers.get('x-total-count'), '2')
      const pages = await walkPages(user, `${path}?${query}&limit=1`)
      assert.deepEqual(
        pages.flatMap(({ body: rows }) => rows.map(({ eventId }: Delivery) => eventId)),
        events,
      )
    }
    const newest = (await deliveries(user)).at(-1)
    const asked = `{ webhookDelivery(id: "${newest?.id}") { eventId }
      webhookDeliveries(where: { subscriptionId: { eq: "${id}" } }) { totalCount nodes { eventId status } }
      webhookDeliveriesAggregate(groupBy: [status]) { key { status } count } }`
    const { data } = (await user.post('/graphql', { query: asked })).body
    assert.deepEqual(data, {
      webhookDelivery: { eventId: events[1] },
      webhookDeliveries: {
        totalCount: 2,
        nodes: events.toReversed().map((eventId) => ({ eventId, status: 'SUCCEEDED' })),
      },
      webhookDeliveriesAggregate: [{ key: { status: 'SUCCEEDED' }, count: 2 }],
    })
    const none = {
      webhookDelivery: null,
      webhookDeliveries: { totalCount: 0, nodes: [] },
      webhookDeliveriesAggregate: [],
    }
    assert.deepEqual((await other.post('/graphql', { query: asked })).body.data, none)
  })

  it('refuses what is no filter: 400', async () => {
    const user = await scene.newUser()
    for (const query of [
      'status=LOST',
      'since=yesterday',
      'subscriptionId=1',
      'limit=0',
      'cursor=x',
      'kind=TEST',
      'sort=attempts',
    ]) {
      assertError(
        await user.get(`/api/webhooks/deliveries?${query}`),
        400,
        new RegExp(query.split('=')[0] ?? ''),
      )
    }
  })

  it('has each attempt: signatures as they were sent, own headers masked, the answer and its excerpt', async () => {
    const user = await scene.newUser()
    const receiver = await scene.receiver(
      answering(500, { 'x-reason': 'tired' }, `\u{1f634}${'z'.repeat(40_000)}`),
    )
    await subscribe(user, receiver, {
      headers: { Authorization: 'Bearer hidden' },
      events: ['thing.happened'],
    })
    await publish(user)
    await scene.look()
    const { attemptLog, event } = await onlyDelivery(user)
    const [attempt] = attemptLog
    const [request] = receiver.requests
    assert.ok(attempt && request)
    assert.equal(request.headers.authorization, 'Bearer hidden')
    assert.equal(attempt.requestHeaders['Authorization'], '****')
    assert.equal(attempt.requestHeaders['X-Webhook-Signature'], request.headers['x-webhook-signature'])
    assert.equal(attempt.requestHeaders['webhook-signature'], request.headers['webhook-signature'])
    assert.equal(attempt.responseHeaders['x-reason'], 'tired')
    assert.match(attempt.responseExcerpt, /^\u{1f634}z+$/u)
    assert.ok(Buffer.byteLength(attempt.responseExcerpt) <= 16 * 1024)
    assert.deepEqual(event.data, {})
  })

  it('shows what is under way as SENDING', async () => {
    const user = await scene.newUser()
    let release = (): void => undefined
    const receiver = await scene.receiver((response) => {
      release = () => response.end()
    })
    await subscribe(user, receiver, { events: ['thing.happened'] })
    await publish(user)
    while (receiver.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    const found = await onlyDelivery(user)
    assert.deepEqual([found.status, found.nextAttemptAt, found.attempts], ['SENDING', null, 0])
    assert.equal((await deliveries(user, '&status=SENDING')).length, 1)
    release()
    await scene.look()
    assert.equal((await delivery(user, found.id)).status, 'SUCCEEDED')
  })

  it('answers for another tenant as for what does not exist', async () => {
    const [user, other] = [await scene.newUser(), await scene.newUser()]
    const id = await subscribe(user, await scene.receiver())
    await publish(user)
    await scene.look()
    const found = await onlyDelivery(user)
    for (const [method, path] of [
      ['GET', `/api/webhooks/deliveries/${found.id}`],
      ['POST', `/api/webhooks/deliveries/${found.id}/replay`],
      ['GET', `/api/webhooks/subscriptions/${id}/deliveries`],
      ['POST', `/api/webhooks/subscriptions/${id}/test`],
    ] as const) {
      assertError(await other.send(method, path), 404, /^There is no such (delivery|subscription)\.$/)
    }
    const recovery = { since: '2020-01-01T00:00:00Z' }
    assertError(await other.post(`/api/webhooks/subscriptions/${id}/recover`, recovery), 404)
    assert.deepEqual(await deliveries(other, `&subscriptionId=${id}`), [])
  })
})
