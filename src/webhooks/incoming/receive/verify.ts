/** Verifies that a message is from its provider. */
import type { Context } from '../../../core/context.ts'
import { refusal } from '../../../core/errors.ts'
import { type Verification, verificationOf } from '../provider/provider.ts'
import type { Headers, SignatureVerdict } from '../signature/message.ts'
import { schemeOf } from '../signature/scheme.ts'

export interface ReceivedMessage {
  provider: string
  headers: Headers
  body: Uint8Array
  /** The addresses that the sender may have called: some schemes sign the address. */
  addresses: readonly string[]
}

/** Refusing an unknown provider takes as long as refusing a wrong signature. */
const unknownProvider: Verification = { scheme: 'stripe', secrets: ['unknown'], toleranceSeconds: 300 }

/** @returns the scheme, and the index of the secret that signed @throws ServiceError `invalid` */
export async function verify(
  context: Context,
  { provider, headers, body, addresses }: ReceivedMessage,
): Promise<{ scheme: Verification['scheme']; secret: number }> {
  const { clock, log } = context.shared
  const known = await verificationOf(context, provider)
  const { scheme, secrets, toleranceSeconds } = known ?? unknownProvider
  const message = {
    provider: provider.toLowerCase(),
    headers,
    body,
    addresses,
    secrets,
    now: clock(),
    toleranceSeconds,
  }
  const verdict = schemeOf(scheme).verify(message)
  if (known !== null && 'secret' in verdict) return { scheme, secret: verdict.secret }
  const reason = known === null ? 'unknown provider' : reasonOf(verdict)
  log.info({ tenantId: context.tenant.id, provider, reason, requestId: context.requestId }, 'webhook refused')
  throw refusal('signatureNotVerified')
}

function reasonOf(verdict: SignatureVerdict): string {
  return 'refusal' in verdict ? verdict.refusal : ''
}
