/** Stores the outcome of a command in the command's transaction, and returns it again for the same key. */

import { TenantData } from '../../database/data.ts'
import type { Transaction } from '../../database/executor.ts'
import { type Context, type Idempotency, now } from '../context.ts'
import { ServiceError } from '../errors.ts'
import { findFormerOutcome, idempotencyPurpose, refuseOther } from './former-key.ts'
import { expireOutcomes, findOutcome, reserveKey, storeOutcome } from './sql.ts'

/** A tenant with its own database has records in both databases, each in the database of its change. */
export const recordTables = ['idempotency', 'idempotency_former_key'] as const

/** How long a key is kept. */
export const retentionMs = 24 * 60 * 60 * 1000

/**
 * Does the work, or returns the outcome of an earlier request with the same Idempotency-Key. Of simultaneous
 * requests, the first reserves the key, and the others wait in the database until it has finished.
 * @throws ServiceError `keyReused` when an earlier request with the key was different, `conflict` when its record
 *   expires at this moment
 */
export async function withIdempotency<T>(
  context: Context,
  transaction: Transaction,
  idempotency: Idempotency,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const { shared } = context
  // The key belongs to the caller's tenant, in the database of the change.
  const data = new TenantData(context.tenant.id, transaction)
  const digest = (text: string) => shared.secretBox.digest(text, idempotencyPurpose).toString('base64url')
  const request = { idempotency, key: `${context.actor?.id ?? ''}\n${idempotency.key}` }
  const key = digest(request.key)
  // The digest of the request is keyed as well: the request may contain a password, which a plain digest would reveal.
  const fingerprint = digest(idempotency.fingerprint)
  const before = new Date(shared.clock().getTime() - retentionMs).toISOString()
  await expireOutcomes(data, key, before)
  const reservation = { key, fingerprint, outcome: new Uint8Array(), created_at: now(context) }
  const { isOurs, formerKeys } = await reserveKey(data, reservation)
  const known = isOurs ? null : await findOutcome(data, key)
  if (!isOurs && known === null) throw new ServiceError('conflict')
  if (known !== null) refuseOther(known, idempotency, digest)
  const former = formerKeys > 0 ? await findFormerOutcome(data, shared.secretBox, { request, before }) : null
  const outcome = known?.outcome ?? former
  if (outcome === null) {
    const value = await work(context)
    await storeOutcome(data, key, shared.secretBox.encrypt(JSON.stringify(value ?? null), idempotencyPurpose))
    return value
  }
  if (isOurs) await storeOutcome(data, key, outcome)
  idempotency.replayed = true
  return JSON.parse(shared.secretBox.decrypt(outcome, idempotencyPurpose)) as T // what `work` returned the first time
}
