/** Signatures of a delivery: the specification's, and those of Standard Webhooks where the secret has its form. */
import { createHmac } from 'node:crypto'

const standardPrefix = 'whsec_'

/**
 * @param timestampSeconds Unix time of the attempt
 * @param secrets newest first; each signs, so that a receiver may know any of them
 */
export function signatureHeaders(
  event: { id: string },
  timestampSeconds: number,
  body: Uint8Array | string,
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(timestampSeconds)
  const own = secrets.map((secret) => `v1=${hmac(secret, `${timestamp}.`, body, 'hex')}`)
  const headers = {
    'X-Webhook-Id': event.id,
    'X-Webhook-Timestamp': timestamp,
    'X-Webhook-Signature': own.join(','),
  }
  const keys = secrets.flatMap((secret) => standardKey(secret) ?? [])
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

/** The bytes behind `whsec_`, if they are base64 that every decoder reads alike: padded, nothing left over. */
function standardKey(secret: string): Buffer | null {
  if (!secret.startsWith(standardPrefix)) return null
  const text = secret.slice(standardPrefix.length)
  const key = Buffer.from(text, 'base64')
  return key.length > 0 && key.toString('base64') === text ? key : null
}
