/** Standard Webhooks: `webhook-signature: v1,… v1,…` in base64 over `{id}.{timestamp}.{body}`. */
import {
  base64Digest,
  findSecret,
  isOverlong,
  isTimely,
  isTimestamp,
  mostSignatures,
  readHeader,
  type SignedMessage,
  type Verdict,
} from './message.ts'

export function verifyStandardWebhooks(message: SignedMessage): Verdict {
  const id = readHeader(message, 'webhook-id')
  const timestamp = readHeader(message, 'webhook-timestamp')
  const header = readHeader(message, 'webhook-signature')
  if (id === null || timestamp === null || header === null) return { refusal: 'missing' }
  if (isOverlong(header) || !isTimestamp(timestamp)) return { refusal: 'malformed' }
  const digests = header
    .split(' ')
    .filter((part) => part.startsWith('v1,'))
    .map((part) => base64Digest(part.slice(3)))
  const given = digests.filter((digest) => digest !== null)
  if (given.length === 0 || digests.length > mostSignatures) return { refusal: 'malformed' }
  if (!isTimely(timestamp, message)) return { refusal: 'untimely' }
  return findSecret(message, given, `${id}.${timestamp}.`, standardKey)
}

/** Whether the secret has the form of this scheme. */
export function isStandardSecret(secret: string): boolean {
  return standardKey(secret) !== null
}

/** The bytes behind `whsec_`, which may be left out, if they are base64 that every decoder reads alike. */
function standardKey(secret: string): Buffer | null {
  const text = secret.replace(/^whsec_/, '')
  const key = Buffer.from(text, 'base64')
  return key.length > 0 && key.toString('base64') === text ? key : null
}
