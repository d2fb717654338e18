/** Receives a message of a provider: verified, stored once, and its rules run, in one transaction. */

import { type Context, now } from '../../../core/context.ts'
import { newId } from '../../../core/id.ts'
import { chargeBytes } from '../../../core/limits/body-cost.ts'
import type { CostAccount } from '../../../core/limits/cost-limiter.ts'
import { inTransaction } from '../../../core/transaction.ts'
import { findReceiptId, insertReceipt, type ReceiptRow, setReceiptStatus } from '../receipt/sql.ts'
import { beginRuns } from '../run/begin.ts'
import { maxHops, readHops } from '../run/chain.ts'
import { type Headers, readHeader } from '../signature/message.ts'
import { nameEvent } from './event-key.ts'
import { parsePayload } from './payload.ts'
import { type ReceivedMessage, verify } from './verify.ts'

/** Here, and for its rules. */
const timesParsed = 2

export interface Received {
  received: true
  id: string
  /** Slack asks for it back when its address is set up. */
  challenge?: string
}

/** @throws ServiceError `invalid` when the signature does not verify, `tooManyRequests` for too many large messages */
export async function receive(
  context: Context,
  message: ReceivedMessage,
  retrySeconds: readonly number[],
): Promise<Received> {
  const { scheme, secret } = await verify(context, message)
  const { headers, body } = message
  chargeBytes(body.length * timesParsed, () => webhookAccount(context))
  const payload = parsePayload(body, readHeader({ headers }, 'content-type'))
  const event = nameEvent(scheme, { headers, body, payload })
  const hops = readHops(headers)
  const receipt: ReceiptRow = {
    id: newId(),
    provider: message.provider.toLowerCase(),
    event_key: event.key,
    event_id: event.id,
    event_type: event.type,
    status: hops >= maxHops ? 'LOOPED' : 'UNMATCHED',
    hops,
    scheme,
    secret_place: secret,
    headers: JSON.stringify(keptHeaders(headers)),
    body,
    received_at: now(context),
  }
  const id = await inTransaction(context, async (inside) => {
    if (await insertReceipt(inside.data, receipt)) {
      await begin(inside, receipt, retrySeconds)
      return receipt.id
    }
    return (await findReceiptId(inside.data, receipt.provider, receipt.event_key)) ?? receipt.id
  })
  return { received: true, id, ...(scheme === 'slack' && challengeIn(payload)) }
}

/** Hops bound the length of a chain of webhooks, and the number of its runs bounds its breadth. */
async function begin(inside: Context, receipt: ReceiptRow, retrySeconds: readonly number[]): Promise<void> {
  const { id, hops } = receipt
  const isTooLong = hops >= maxHops
  const open = () => webhookAccount(inside)
  if (!isTooLong && (await beginRuns(inside, receipt, { retrySeconds, open }))) return
  if (!isTooLong) await setReceiptStatus(inside.data, id, 'LOOPED')
  const { shared, tenant } = inside
  const reason = isTooLong ? 'hops' : 'actions'
  shared.log.info({ tenantId: tenant.id, receiptId: id, hops, reason }, 'chain of webhooks ended')
}

/** The providers of a tenant have an account of their own: what its users have spent refuses no webhook. */
function webhookAccount({ shared, tenant }: Context): CostAccount {
  const name = `webhooks of ${tenant.id}`
  return shared.costLimiter.open({ tenantId: name, userId: name, network: '' })
}

function challengeIn(payload: unknown): { challenge: string } | null {
  if (typeof payload !== 'object' || payload === null) return null
  const { type, challenge } = payload as { type?: unknown; challenge?: unknown } // judged right here
  return type === 'url_verification' && typeof challenge === 'string' ? { challenge } : null
}

const masked = '****'

/** Headers of credentials, by their names. Signatures stay: they help to find out what went wrong. */
const credential = /auth|cookie|token|secret|password|passwd|credential|api-?key|access-?key|session/i

/** Without the values of credentials. */
function keptHeaders(headers: Headers): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, credential.test(name) ? masked : [value].flat().join(', ')]],
  )
  return Object.fromEntries(entries) as Record<string, string> // pairs of texts
}
