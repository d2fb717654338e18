/** Takes a message of a provider: verified, stored once, and what its rules ask for done, in one transaction. */

import { type Context, now } from '../../../core/context.ts'
import { newId } from '../../../core/id.ts'
import { chargeBytes } from '../../../core/limits/body-cost.ts'
import type { CostAccount } from '../../../core/limits/cost-limiter.ts'
import { inTransaction } from '../../../core/transaction.ts'
import { keptHeaders } from '../receipt/header.ts'
import { findReceiptId, insertReceipt, type ReceiptRow, setReceiptStatus } from '../receipt/sql.ts'
import type { Waiting } from '../retry/waiting.ts'
import { beginRuns } from '../run/begin.ts'
import { readHeader } from '../signature/message.ts'
import { nameEvent } from './event-key.ts'
import { mostHops, readHops } from './hops.ts'
import { parsePayload } from './payload.ts'
import { type Message, verify } from './verify.ts'

/** Here, and for its rules. */
const timesParsed = 2

export interface Received {
  received: true
  id: string
  /** Slack asks for it back when its address is set up. */
  challenge?: string
}

/** @throws ServiceError `invalid` when the signature does not verify, `tooManyRequests` for too many large messages */
export async function receive(context: Context, message: Message, waiting: Waiting): Promise<Received> {
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
    status: hops >= mostHops ? 'LOOPED' : 'UNMATCHED',
    hops,
    scheme,
    secret_place: secret,
    headers: JSON.stringify(keptHeaders(headers)),
    body,
    received_at: now(context),
  }
  const id = await inTransaction(context, async (inside) => {
    if (await insertReceipt(inside.data, receipt)) {
      await begin(inside, receipt, waiting)
      return receipt.id
    }
    return (await findReceiptId(inside.data, receipt.provider, receipt.event_key)) ?? receipt.id
  })
  return { received: true, id, ...(scheme === 'slack' && challengeIn(payload)) }
}

/** Hops bound how long a chain of webhooks of ours grows, and what it has run already how broad. */
async function begin(inside: Context, receipt: ReceiptRow, waiting: Waiting): Promise<void> {
  const { id, hops } = receipt
  const isTooLong = hops >= mostHops
  const open = () => webhookAccount(inside)
  if (!isTooLong && (await beginRuns(inside, receipt, { waiting, open }))) return
  if (!isTooLong) await setReceiptStatus(inside.data, id, 'LOOPED')
  const { shared, tenant } = inside
  const reason = isTooLong ? 'hops' : 'actions'
  shared.log.info({ tenantId: tenant.id, receiptId: id, hops, reason }, 'chain of webhooks ended')
}

/** The providers of a tenant are a caller of their own: what its users have spent refuses no webhook. */
function webhookAccount({ shared, tenant }: Context): CostAccount {
  const name = `webhooks of ${tenant.id}`
  return shared.costLimiter.open({ tenantId: name, userId: name, network: '' })
}

function challengeIn(payload: unknown): { challenge: string } | null {
  if (typeof payload !== 'object' || payload === null) return null
  const { type, challenge } = payload as { type?: unknown; challenge?: unknown } // judged right here
  return type === 'url_verification' && typeof challenge === 'string' ? { challenge } : null
}
