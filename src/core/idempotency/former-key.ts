/**
 * Records are found by keyed digests, and each installation has a digest key of its own. A tenant that comes from another
 * one brings that key along, so that what was done there is not done once more here.
 */
import { createHmac } from 'node:crypto'
import type { TenantData } from '../../database/data.ts'
import { type Context, now } from '../context.ts'
import { readDigestKey } from '../encryption/digest-key.ts'
import type { SecretBox } from '../encryption/secret-box.ts'
import { ServiceError } from '../errors.ts'
import { newId } from '../id.ts'
import { expireFormerKeys, findFormerKeys, findOutcome, insertFormerKey } from './sql.ts'

/** Of the digests. */
export const idempotencyPurpose = 'idempotency'
export const formerKeyPurpose = 'idempotency-former-key'

export interface Digested {
  key: string
  fingerprint: string
}

/** Leaves the key of this installation with a tenant's records. @param records where they are copied to */
export async function bringDigestKey(records: TenantData, context: Context): Promise<void> {
  const { secretBox } = context.shared
  const key = (await readDigestKey(context.catalogue, secretBox, idempotencyPurpose)).toString('base64')
  await insertFormerKey(records, {
    id: newId(),
    key: secretBox.encrypt(key, formerKeyPurpose),
    created_at: now(context),
  })
}

/**
 * Looks for the outcome by the digests of the installations before.
 * @param texts what is digested @param before keys from earlier lead to nothing that is still remembered
 * @throws ServiceError `keyReused` when the key came with another request
 */
export async function findFormerOutcome(
  data: TenantData,
  secretBox: SecretBox,
  { texts, before }: { texts: Digested; before: string },
): Promise<Uint8Array | null> {
  await expireFormerKeys(data, before)
  for (const encrypted of await findFormerKeys(data)) {
    const digestKey = Buffer.from(secretBox.decrypt(encrypted, formerKeyPurpose), 'base64')
    const digest = (text: string) => createHmac('sha256', digestKey).update(text).digest('base64url')
    const known = await findOutcome(data, digest(texts.key))
    if (known === null) continue
    if (known.fingerprint !== digest(texts.fingerprint)) throw new ServiceError('keyReused')
    return known.outcome
  }
  return null
}
