/** Subscriptions with deliveries in every state, and incoming webhooks with their rules and receipts. */
import { eventually, soonMs } from '../../support/eventually.ts'
import { secret, signed } from '../../support/webhooks/provider.ts'
import type { Receiver } from '../../support/webhooks/receiver.ts'
import type { PendingSubscription } from '../expected.ts'
import { type Caller, done, type Version } from './version.ts'

const headers = { 'x-token': 'for-the-receiver-alone' }

/** @param receiver answers 200 below `/good`, and 503 otherwise */
export async function addWebhooks(
  version: Version,
  { client, person: { tenantId, userName } }: Caller,
  receiver: Receiver,
): Promise<PendingSubscription> {
  const add = (path: string, event: string, members: object = {}) =>
    done(
      client.post('/api/webhooks/subscriptions', {
        url: `${receiver.url}/${path}`,
        events: [event],
        ...members,
      }),
    )
  const publish = (type: string) =>
    done(client.post('/api/events', { type, data: { text: 'später 🐌', sum: 1.5 } }))
  const late = await add('late', 'late.*', { headers, retrySeconds: [3600] })
  const dead = await add('dead', 'dead.*', { retrySeconds: [1] })
  const hasPortal = version.has('POST /api/webhooks/portal-sessions')
  const good = await add('good', 'good.*', hasPortal ? { customer: 'customer-7' } : {})
  if (hasPortal) {
    const session = { customer: 'customer-7', origins: ['https://app.example'] }
    await done(client.post('/api/webhooks/portal-sessions', session))
  }
  await done(client.post(`/api/webhooks/subscriptions/${good.id}/rotate-secret`, { overlapHours: 24 }))
  const events = [
    await publish('dead.happened'),
    await publish('good.happened'),
    await publish('late.happened'),
  ]
  await receive(version, { client, tenantId })
  const deliveryTo = async (id: string) =>
    (await done(client.get(`/api/webhooks/subscriptions/${id}/deliveries`)))[0]
  await eventually('the deliveries', soonMs, async () => {
    const [first, second, third] = [
      await deliveryTo(late.id),
      await deliveryTo(dead.id),
      await deliveryTo(good.id),
    ]
    return first?.attempts === 1 && second?.nextAttemptAt === null && third?.nextAttemptAt === null
  })
  const sent = receiver.requests.find((request) => request.headers['x-webhook-id'] === events[2].id)
  return {
    tenantId,
    userName,
    id: late.id,
    secret: late.secret,
    headers,
    deliveryId: (await deliveryTo(late.id)).id,
    bytes: sent?.body ?? '',
  }
}

async function receive(
  { anonymous }: Version,
  { client, tenantId }: { client: Caller['client']; tenantId: string },
): Promise<void> {
  await done(client.put('/api/webhooks/providers/stripe', { secret }))
  await done(
    client.put('/api/webhooks/providers/hub', { secret: 'It is a secret of GitHub.', scheme: 'github' }),
  )
  for (const [eventType, action] of [
    ['thing.*', 'publish'],
    ['thing.*', 'log'],
    ['payment.*', 'order.pay'],
    ['lost.*', 'no.such.action'],
  ])
    await done(client.post('/api/webhooks/rules', { provider: 'stripe', eventType, action }))
  for (const type of ['thing.happened', 'lost.happened', 'unheard.of']) {
    const body = JSON.stringify({ id: type, type, data: { text: 'Ω' } })
    const sender = { 'stripe-signature': signed(body) }
    await done(anonymous.post(`/api/webhooks/receive/stripe?tenant=${tenantId}`, body, sender))
  }
}
