/** Providers and rules of a tenant, and webhooks signed as providers sign them. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { Answer, Client } from '../client.ts'
import type { TestService, TestTenant } from '../service.ts'
import { copyRow } from './copies.ts'

export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

export type Body = Record<string, unknown> | string | Uint8Array

export async function setProvider(
  user: Client,
  provider = 'stripe',
  members: Record<string, unknown> = {},
): Promise<Answer['body']> {
  const answer = await user.put(`/api/webhooks/providers/${provider}`, { secret, ...members })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** @returns the id of the rule */
export async function addRule(
  user: Client,
  action: string,
  eventType = '*',
  provider = 'stripe',
): Promise<string> {
  const answer = await user.post('/api/webhooks/rules', { provider, eventType, action })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id
}

/** Adds so many alike, in the order of their creation. */
export async function addRules(
  { service }: Pick<TestService, 'service'>,
  user: Client,
  action: string,
  count: number,
  ...where: [eventType?: string, provider?: string]
): Promise<void> {
  if (count > 0) await copyRow(service, 'webhook_rule', await addRule(user, action, ...where), count - 1)
}

/** The signature header of the scheme of the service. @param at seconds */
export function signed(text: string | Uint8Array, at = nowSeconds(), key = secret): string {
  return `t=${at},v1=${createHmac('sha256', key).update(`${at}.`).update(text).digest('hex')}`
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

/** Sends to the tenant as a provider does: without a token, with the tenant in the address. */
export function send(
  { anonymous }: Pick<TestService, 'anonymous'>,
  { id }: Pick<TestTenant, 'id'>,
  body: Body,
  headers: Record<string, string> | null = null,
  provider = 'stripe',
): Promise<Answer> {
  const text = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
  const own = headers ?? { [`${provider}-signature`]: signed(text) }
  return anonymous.post(`/api/webhooks/receive/${provider}?tenant=${id}`, text, own)
}

/** @returns the id of the receipt */
export async function received(
  service: TestService,
  tenant: Pick<TestTenant, 'id'>,
  body: Body,
  headers: Record<string, string> | null = null,
): Promise<string> {
  const answer = await send(service, tenant, body, headers)
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.body.received, true)
  return answer.body.id
}

export async function receipt(user: Client, id: string): Promise<Answer['body']> {
  const answer = await user.get(`/api/webhooks/receipts/${id}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

export async function receipts(user: Client, query = ''): Promise<Answer['body'][]> {
  const answer = await user.get(`/api/webhooks/receipts?limit=200${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
