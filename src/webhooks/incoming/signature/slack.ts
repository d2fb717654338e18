/** Slack's: `X-Slack-Signature: v0=…` over `v0:{timestamp}:{body}`. */
import {
  findSecret,
  hexDigest,
  isTimely,
  isTimestamp,
  readHeader,
  type SignedMessage,
  type Verdict,
} from './message.ts'

const prefix = 'v0='

export function verifySlack(message: SignedMessage): Verdict {
  const header = readHeader(message, 'x-slack-signature')
  const timestamp = readHeader(message, 'x-slack-request-timestamp')
  if (header === null || timestamp === null) return { refusal: 'missing' }
  const digest = header.startsWith(prefix) ? hexDigest(header.slice(prefix.length)) : null
  if (digest === null || !isTimestamp(timestamp)) return { refusal: 'malformed' }
  if (!isTimely(timestamp, message)) return { refusal: 'untimely' }
  return findSecret(message, [digest], `v0:${timestamp}:`)
}
