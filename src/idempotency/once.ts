/** Remembers what a command returned, in the command's own transaction, and gives it again for the same key. */
import { type Context, now, type Once } from '../context.ts'
import { TenantData } from '../database/data.ts'
import type { Transaction } from '../database/executor.ts'
import { ServiceError } from '../errors.ts'
import { expireOutcomes, findOutcome, reserveKey, storeOutcome } from './sql.ts'

export const idempotencyPurpose = 'idempotency'

/** How long a key is remembered. */
export const rememberedForMs = 24 * 60 * 60 * 1000

/**
 * Of simultaneous commands with one key the first reserves it; the others wait for it in the database.
 * @throws ServiceError `keyReused` when the key came with another request before
 */
export async function doOnce<T>(
  context: Context,
  transaction: Transaction,
  once: Once,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const { shared } = context
  // The key belongs to the caller's tenant, in the database that the change is made in.
  const data = new TenantData(context.tenant.id, transaction)
  const key = shared.sealer
    .digest(`${context.actor?.id ?? ''}\n${once.key}`, idempotencyPurpose)
    .toString('base64url')
  // Keyed as well: the request may hold a password, which a plain digest would give away to guessing.
  const fingerprint = shared.sealer.digest(once.fingerprint, idempotencyPurpose).toString('base64url')
  await expireOutcomes(data, new Date(shared.clock().getTime() - rememberedForMs).toISOString())
  const reservation = { key, fingerprint, outcome: new Uint8Array(), created_at: now(context) }
  if ((await reserveKey(data, reservation)) === 1) {
    const value = await work(context)
    await storeOutcome(data, key, shared.sealer.seal(JSON.stringify(value ?? null), idempotencyPurpose))
    return value
  }
  const known = await findOutcome(data, key)
  if (known === null) throw new ServiceError('conflict')
  if (known.fingerprint !== fingerprint) throw new ServiceError('keyReused')
  once.replayed = true
  return JSON.parse(shared.sealer.open(known.outcome, idempotencyPurpose)) as T // what `work` returned the first time
}
