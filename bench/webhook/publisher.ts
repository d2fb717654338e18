/** Callers that subscribe and publish. */
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expectJson, type Send } from '../client.ts'
import type { RunningService } from '../service.ts'
import type { Receivers } from './receivers.ts'

export const row = 'webhook'

export interface Stage {
  service: RunningService
  receivers: Receivers
  token: string
  send: Send
}

export async function subscribe(send: Send, url: string, events = ['*']): Promise<string> {
  const made = send('POST', '/api/webhooks/subscriptions', { url, events })
  return (await expectJson<{ id: string }>(made, 201)).id
}

export async function publish(send: Send, type = 'thing.happened'): Promise<void> {
  await expectJson(send('POST', '/api/events', { type, data: { orderId: 'x', total: 1 } }), 202)
}

/** Whether or not those before have been answered. @returns how many */
export async function publishSteadily(
  url: string,
  token: string,
  seconds: number,
  perSecond: number,
): Promise<number> {
  const agent = new Agent({ keepAlive: true })
  const began = performance.now()
  const sent: Promise<void>[] = []
  while (performance.now() - began < seconds * 1000) {
    const due = Math.floor(((performance.now() - began) / 1000) * perSecond)
    while (sent.length < due)
      sent.push(post(agent, url, token, '/api/events', '{"type":"thing.happened","data":{}}', 202))
    await sleep(3)
  }
  await Promise.all(sent)
  agent.destroy()
  return sent.length
}

export async function post(
  agent: Agent,
  url: string,
  token: string,
  path: string,
  body: string,
  expected: number,
): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const asked = request(`${url}${path}`, { method: 'POST', agent, headers })
  asked.end(body)
  const [response] = await once(asked, 'response')
  response.resume()
  await once(response, 'end')
  if (response.statusCode !== expected) throw new Error(`${path}: ${response.statusCode}`)
}
