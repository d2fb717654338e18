import assert from 'node:assert/strict'
import type { Answer, Client } from '../../support/client.ts'

export const path = '/api/webhooks/subscriptions'
export const receiver = { url: 'https://example.com/hooks', events: ['order.created'] }

/** @returns the subscription, with its complete secret */
export async function register(
  caller: Client,
  members: Record<string, unknown> = {},
): Promise<Answer['body']> {
  const answer = await caller.post(path, { ...receiver, ...members })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

export async function readSubscription(caller: Client, id: string): Promise<Answer['body']> {
  const answer = await caller.get(`${path}/${id}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

export function changeSubscription(
  caller: Client,
  id: string,
  members: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return caller.send('PATCH', `${path}/${id}`, members, headers)
}
