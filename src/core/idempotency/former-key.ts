/**
 * Digest keys of other installations. Idempotency records are found by keyed digests, and each installation has its own
 * key. An imported tenant keeps the key of its former installation, so that commands that ran there do not run again.
 */
import { createHmac } from 'node:crypto'
import type { TenantData } from '../../database/data.ts'
import { type Context, now } from '../context.ts'
import { readDigestKey } from '../encryption/digest-key.ts'
import type { SecretBox } from '../encryption/secret-box.ts'
import { ServiceError } from '../errors.ts'
import { newId } from '../id.ts'
import { expireFormerKeys, findFormerKeys, findOutcome, insertFormerKey } from './sql.ts'

/** The purpose of the digests. */
export const idempotencyPurpose = 'idempotency'
export const formerKeyPurpose = 'idempotency-former-key'

export interface Digested {
  key: string
  fingerprint: string
}

/** Stores the key of this installation with a copy of a tenant's records. */
export async function storeDigestKey(records: TenantData, context: Context): Promise<void> {
  const { secretBox } = context.shared
  const key = (await readDigestKey(context.catalogue, secretBox, idempotencyPurpose)).toString('base64')
  await insertFormerKey(records, {
    id: newId(),
    key: secretBox.encrypt(key, formerKeyPurpose),
    created_at: now(context),
  })
}

/**
 * Finds the outcome by the digests of former installations.
 * @param texts the texts of the digests @param before all records of older keys have expired
 * @throws ServiceError `keyReused` when the earlier request with the key was different
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
