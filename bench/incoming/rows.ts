/** Webhooks that come in: how soon they are acknowledged, and what verifying a large one takes. */
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { schemeOf } from '../../src/webhooks/incoming/signature/scheme.ts'
import { expectJson, type Send } from '../client.ts'
import { type Finding, median } from '../row/finding.ts'
import { initialize, removeFolder, startService } from '../service.ts'
import { percentile } from '../webhook/receivers.ts'

const row = 'incoming'
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const perSecond = 200
const mostAcknowledgeMs = 50
const mostVerifyMs = 5
const largeBytes = 1024 * 1024
const verifications = 101

/** @param seconds of a steady load */
export async function measureIncoming(seconds: number): Promise<Finding[]> {
  return [await measureAcknowledgement(seconds), measureVerification()]
}

/** Each receipt is another event, matches a rule, and publishes an event of ours. */
async function measureAcknowledgement(seconds: number): Promise<Finding> {
  const service = await startService()
  const { send } = await initialize(service.url)
  await configure(send)
  const agent = new Agent({ keepAlive: true })
  const began = performance.now()
  const sent: Promise<number>[] = []
  while (performance.now() - began < seconds * 1000) {
    const due = Math.floor(((performance.now() - began) / 1000) * perSecond)
    while (sent.length < due) sent.push(deliver(agent, service.url, sent.length))
    await sleep(2)
  }
  const times = await Promise.all(sent)
  agent.destroy()
  await service.stop()
  removeFolder(service.folder)
  const p99 = percentile(times, 0.99)
  return {
    row,
    work: `acknowledgement at ${perSecond} receipts/s`,
    figure: `p99 ${p99.toFixed(0)} ms`,
    target: `≤ ${mostAcknowledgeMs} ms`,
    reached: p99 <= mostAcknowledgeMs,
    detail: `${times.length} receipts, each with an action; median ${median(times).toFixed(1)} ms`,
  }
}

async function configure(send: Send): Promise<void> {
  await expectJson(send('PUT', '/api/webhooks/providers/stripe', { secret }), 200)
  const rule = { provider: 'stripe', eventType: 'charge.*', action: 'publish' }
  await expectJson(send('POST', '/api/webhooks/rules', rule), 201)
}

/** @returns milliseconds until it was answered @throws Error unless it is accepted */
async function deliver(agent: Agent, url: string, number: number): Promise<number> {
  const body = JSON.stringify({ id: `evt_${number}`, type: 'charge.succeeded', data: { number } })
  const headers = { 'content-type': 'application/json', 'stripe-signature': signatureOf(body) }
  const began = performance.now()
  const asked = request(`${url}/api/webhooks/receive/stripe`, { method: 'POST', agent, headers })
  asked.end(body)
  const [response] = await once(asked, 'response')
  response.resume()
  await once(response, 'end')
  if (response.statusCode !== 200) throw new Error(`A receipt was answered with ${response.statusCode}.`)
  return performance.now() - began
}

function measureVerification(): Finding {
  const body = Buffer.alloc(largeBytes, 'x')
  const message = {
    provider: 'stripe',
    headers: { 'stripe-signature': signatureOf(body) },
    secrets: [secret],
    toleranceSeconds: 300,
    addresses: [],
    body,
    now: new Date(),
  }
  const scheme = schemeOf('stripe')
  const times = Array.from({ length: verifications }, () => {
    const began = performance.now()
    if ('refusal' in scheme.verify(message)) throw new Error('The large message was refused.')
    return performance.now() - began
  })
  const ms = median(times)
  return {
    row,
    work: 'verification of a body of 1 MiB',
    figure: `${ms.toFixed(2)} ms`,
    target: `≤ ${mostVerifyMs} ms`,
    reached: ms <= mostVerifyMs,
    detail: `median of ${verifications}`,
  }
}

/** The header of Stripe, with the key and the form of https://docs.stripe.com/webhooks#verify-manually. */
function signatureOf(body: string | Buffer): string {
  const time = Math.floor(Date.now() / 1000)
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex')}`
}
