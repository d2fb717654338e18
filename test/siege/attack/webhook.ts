/** Webhooks in both directions. */
import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { Client } from '../../support/client.ts'
import { bearer, requestBytes } from '../../support/http/request-bytes.ts'
import { proxyAddress } from '../address.ts'
import type { Attack, Front } from '../front.ts'
import { hammer } from '../hammer.ts'

export const webhookAttacks: Attack[] = [
  { name: 'bad-signatures', start: sendBadSignatures },
  { name: 'dead-receivers', start: publishToDeadReceivers },
  { name: 'many-rules', start: sendToManyRules },
]

/** More than a tenant may have. */
const rulesTried = 300
const secret = 'whsec_of_the_attacker'

/** To a provider that is there, to one that is not, with small bodies and with large ones. */
async function sendBadSignatures(front: Front): Promise<void> {
  const { id, admin } = front.target.hostile
  const client = new Client(`http://${proxyAddress}:${front.target.port}`, bearer(admin))
  await client.put('/api/webhooks/providers/stripe', { secret: 'whsec_nobody_knows_this', scheme: 'stripe' })
  const large = 'x'.repeat(1024 * 1024 - 1000)
  const requests = ['stripe', 'unknown'].flatMap((provider) =>
    [large, '{}'].map((body) => {
      const seconds = Math.floor(Date.now() / 1000)
      const headers = { 'stripe-signature': `t=${seconds}${',v1=00'.repeat(1000)}` }
      return requestBytes({ path: `/api/webhooks/receive/${provider}?tenant=${id}`, headers, body })
    }),
  )
  hammer(front, { perSecond: 100, next: (turn) => requests[turn % requests.length] ?? Buffer.alloc(0) })
}

/** Large bodies that verify, each of which as many rules publish as the service lets the tenant have. */
async function sendToManyRules(front: Front): Promise<void> {
  const { id, admin } = front.target.hostile
  const client = new Client(`http://${proxyAddress}:${front.target.port}`, bearer(admin))
  await client.put('/api/webhooks/providers/stripe', { secret, scheme: 'stripe' })
  const rules: string[] = []
  front.signal.addEventListener('abort', () => {
    for (const rule of rules) void client.delete(`/api/webhooks/rules/${rule}`)
  })
  for (let count = 0; count < rulesTried && !front.signal.aborted; count++) {
    const rule = { provider: 'stripe', eventType: '*', action: 'publish' }
    const { status, body } = await client.post('/api/webhooks/rules', rule)
    if (status !== 201) break
    rules.push(body.id)
  }
  const text = 'x'.repeat(200_000)
  hammer(front, {
    perSecond: 50,
    next: () => {
      const body = JSON.stringify({ id: randomUUID(), type: 'a.b', text })
      const seconds = Math.floor(Date.now() / 1000)
      const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
      const headers = { 'stripe-signature': `t=${seconds},v1=${signature}` }
      return requestBytes({ path: `/api/webhooks/receive/stripe?tenant=${id}`, headers, body })
    },
  })
}

/** Half of the receivers take connections and never answer, half of them are not there. */
async function publishToDeadReceivers(front: Front): Promise<void> {
  const sockets = new Set<Socket>()
  const hanging = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined).resume())
  }).listen(0, proxyAddress)
  await once(hanging, 'listening')
  front.signal.addEventListener('abort', () => {
    hanging.close()
    for (const socket of sockets) socket.destroy()
  })
  const address = hanging.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const { user } = front.target.hostile
  const client = new Client(`http://${proxyAddress}:${front.target.port}`, bearer(user))
  const subscribe = (index: number) => {
    const url = `http://${proxyAddress}:${index % 2 === 0 ? port : 9}/${index}`
    return client.post('/api/webhooks/subscriptions', { url, events: ['own.*'] })
  }
  const made = await Promise.all(Array.from({ length: 100 }, (_each, index) => subscribe(index)))
  front.signal.addEventListener('abort', () => {
    for (const { body } of made) void client.delete(`/api/webhooks/subscriptions/${body.id}`)
  })
  hammer(front, {
    perSecond: 100,
    next: () =>
      requestBytes({
        path: '/api/events',
        headers: bearer(user),
        body: { type: 'own.thing', data: { id: randomUUID() } },
      }),
  })
}
