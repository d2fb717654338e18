/** GitHub's: `X-Hub-Signature-256: sha256=…` over the body alone. There is no timestamp in it. */
import { findSecret, hexDigest, readHeader, type SignedMessage, type Verdict } from './message.ts'

const prefix = 'sha256='

export function verifyGithub(message: SignedMessage): Verdict {
  const header = readHeader(message, 'x-hub-signature-256')
  if (header === null) return { refusal: 'missing' }
  const digest = header.startsWith(prefix) ? hexDigest(header.slice(prefix.length)) : null
  return digest === null ? { refusal: 'malformed' } : findSecret(message, [digest])
}
