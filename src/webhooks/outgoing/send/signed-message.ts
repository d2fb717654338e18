/** The message of a delivery: a body that is the same on every attempt, and the signed headers of one attempt. */
import { createHmac } from 'node:crypto'
import { version } from '../../../database/version.ts'
import { standardKey } from '../../standard-key.ts'

export interface EventMessage {
  id: string
  type: string
  /** ISO 8601, when the event was published. */
  createdAt: string
  tenantId: string
  /** JSON text, as stored. */
  data: string
}

/** Made of stored text only, so that every instance and every attempt sends the same bytes. */
export function messageBody({ id, type, createdAt, tenantId, data }: EventMessage): string {
  const members = { id, type, timestamp: createdAt, tenantId }
  return `${JSON.stringify(members).slice(0, -1)},"data":${data}}`
}

/** The number of webhooks in a chain, on deliveries that an incoming webhook has caused. */
export const loopCountHeader = 'X-Tenantry-Hops'
/** The event or the received webhook that began such a chain. */
export const originHeader = 'X-Tenantry-Origin'

/** The headers of one attempt, except those of the subscription. */
export function messageHeaders(
  message: { id: string; hops?: number; origin?: string | null },
  body: string,
  secrets: readonly string[],
  startedAt: Date,
): Record<string, string> {
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    'User-Agent': `Tenantry/${version}`,
    ...signatureHeaders(message, Math.floor(startedAt.getTime() / 1000), body, secrets),
  }
  if (message.hops) {
    headers[loopCountHeader] = `${message.hops}`
    if (message.origin) headers[originHeader] = message.origin
  }
  return headers
}

/**
 * The signature `X-Webhook-Signature`, and that of Standard Webhooks for secrets of its form.
 * @param timestampSeconds Unix time of the attempt
 * @param secrets newest first. Each of them signs, so that the receiver may have any of them
 */
export function signatureHeaders(
  event: { id: string },
  timestampSeconds: number,
  body: Uint8Array | string,
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(timestampSeconds)
  const signatures = secrets.map((secret) => `v1=${hmac(secret, `${timestamp}.`, body, 'hex')}`)
  const headers = {
    'X-Webhook-Id': event.id,
    'X-Webhook-Timestamp': timestamp,
    'X-Webhook-Signature': signatures.join(','),
  }
  const standardSecrets = secrets.filter((secret) => secret.startsWith('whsec_'))
  const keys = standardSecrets.flatMap((secret) => standardKey(secret) ?? [])
  if (keys.length === 0) return headers
  const standard = keys.map((key) => `v1,${hmac(key, `${event.id}.${timestamp}.`, body, 'base64')}`)
  return {
    ...headers,
    'webhook-id': event.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': standard.join(' '),
  }
}

function hmac(
  key: Uint8Array | string,
  before: string,
  body: Uint8Array | string,
  encoding: 'hex' | 'base64',
): string {
  return createHmac('sha256', key).update(before).update(body).digest(encoding)
}
