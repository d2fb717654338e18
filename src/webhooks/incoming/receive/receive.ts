/**
 * Receives a message of a provider: verifies it, and in one transaction stores it once and runs the matching rules.
 */

import { type Context, now } from '../../../core/context.ts'
import { newId } from '../../../core/id.ts'
import { chargeBytes } from '../../../core/limits/body-cost.ts'
import type { CostAccount } from '../../../core/limits/cost-limiter.ts'
import { withOwnerRights } from '../../../core/owner.ts'
import { inTransaction } from '../../../core/transaction.ts'
import { findReceiptId, insertReceipt, type ReceiptRow, setReceiptStatus } from '../receipt/sql.ts'
import { maxLoopCount, readLoopCount } from '../run/chain.ts'
import type { ActionRunOptions } from '../run/run.ts'
import { runMatchingRules } from '../run/start.ts'
import { type Headers, readHeader } from '../signature/message.ts'
import { schemeOf } from '../signature/scheme.ts'
import { identifyEvent } from './event-key.ts'
import { parsePayload } from './payload.ts'
import type { Received } from './schema.ts'
import { type ReceivedMessage, verify } from './verify.ts'

/** A body is parsed when it is received, and again for the actions. */
const timesParsed = 2

/**
 * @throws ServiceError `invalid` when the signature does not verify, `tooManyRequests` for too many large messages
 */
export async function receive(
  context: Context,
  message: ReceivedMessage,
  retrySeconds: readonly number[],
): Promise<Received> {
  const { scheme, secret } = await verify(context, message)
  const { headers, body } = message
  chargeBytes(body.length * timesParsed, () => webhookAccount(context))
  const payload = parsePayload(body, readHeader({ headers }, 'content-type'))
  const event = identifyEvent(scheme, { headers, body, payload })
  const hops = readLoopCount(headers)
  const receipt: ReceiptRow = {
    id: newId(),
    provider: message.provider.toLowerCase(),
    event_key: event.key,
    event_id: event.id,
    event_type: event.type,
    status: hops >= maxLoopCount ? 'LOOPED' : 'UNMATCHED',
    hops,
    scheme,
    secret_place: secret,
    headers: JSON.stringify(maskCredentials(headers)),
    body,
    received_at: now(context),
  }
  const id = await withOwnerRights(context.shared, (rights) =>
    inTransaction(context, async (inside) => {
      if (await insertReceipt(inside.data, receipt)) {
        await runRules(inside, receipt, { retrySeconds, rights })
        return receipt.id
      }
      return (await findReceiptId(inside.data, receipt.provider, receipt.event_key)) ?? receipt.id
    }),
  )
  return { received: true, id, ...(schemeOf(scheme).sendsChallenge && challengeIn(payload)) }
}

/**
 * Webhooks may cause each other in a chain. `hops` limits the length of the chain, and the
 * number of its runs limits its breadth.
 */
async function runRules(inside: Context, receipt: ReceiptRow, options: ActionRunOptions): Promise<void> {
  const { id, hops } = receipt
  const isTooLong = hops >= maxLoopCount
  const open = () => webhookAccount(inside)
  if (!isTooLong && (await runMatchingRules(inside, receipt, { ...options, open }))) return
  if (!isTooLong) await setReceiptStatus(inside.data, id, 'LOOPED')
  const { shared, tenant } = inside
  const reason = isTooLong ? 'hops' : 'actions'
  shared.log.info({ tenantId: tenant.id, receiptId: id, hops, reason }, 'chain of webhooks ended')
}

/** The providers of a tenant have their own account: what users spend does not cause webhooks to be refused. */
function webhookAccount({ shared, tenant }: Context): CostAccount {
  const name = `webhooks of ${tenant.id}`
  return shared.costLimiter.open({ tenantId: name, userId: name, network: '' })
}

/** Slack sends a challenge when an address is set up, and expects it in the reply. */
function challengeIn(payload: unknown): { challenge: string } | null {
  if (typeof payload !== 'object' || payload === null) return null
  const { type, challenge } = payload as { type?: unknown; challenge?: unknown } // checked in the next line
  return type === 'url_verification' && typeof challenge === 'string' ? { challenge } : null
}

const masked = '****'

/** Names of headers with credentials. Signatures are stored, because they help to diagnose failures. */
const credentialHeader = /auth|cookie|token|secret|password|passwd|credential|api-?key|access-?key|session/i

function maskCredentials(headers: Headers): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, credentialHeader.test(name) ? masked : [value].flat().join(', ')]],
  )
  return Object.fromEntries(entries) as Record<string, string> // all values are strings
}
