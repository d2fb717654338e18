/** Verifies one message by one scheme. */
import type { SignatureVerdict, SignedMessage } from '../../../../src/webhooks/incoming/signature/message.ts'
import { type SchemeName, schemeOf } from '../../../../src/webhooks/incoming/signature/scheme.ts'

export const signedAt = 1_700_000_000
export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
export const body = '{"id":"evt_1","type":"charge.succeeded","note":"é"}'

export interface Given extends Partial<Omit<SignedMessage, 'body' | 'now'>> {
  body?: string | Uint8Array
  /** Seconds. */
  now?: number
}

export function verify(scheme: SchemeName, given: Given): SignatureVerdict {
  return schemeOf(scheme).verify({
    provider: 'stripe',
    headers: {},
    secrets: [secret],
    addresses: [],
    toleranceSeconds: 300,
    ...given,
    body: Buffer.from(given.body ?? body),
    now: new Date((given.now ?? signedAt) * 1000),
  })
}

export const accepted = { secret: 0 }
