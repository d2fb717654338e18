/**
 * Digest keys of other installations. Idempotency records are found by keyed digests, and each installation has its own
 * key. An imported tenant keeps the key of its former installation, so that commands that ran there do not run again.
 */
import { createHmac } from 'node:crypto'
import type { TenantData } from '../../database/data.ts'
import { type Context, type Idempotency, now } from '../context.ts'
import { readDigestKey } from '../encryption/digest-key.ts'
import type { SecretBox } from '../encryption/secret-box.ts'
import { ServiceError } from '../errors.ts'
import { newId } from '../id.ts'
import { expireFormerKeys, findFormerKeys, findOutcome, insertFormerKey } from './sql.ts'

/** The purpose of the digests by which records are found, and of the encryption of their outcomes. */
export const idempotencyPurpose = 'idempotency'
export const formerKeyPurpose = 'idempotency-former-key'

export interface KeyedRequest {
  /** The text of which the digest is the key of the record. */
  key: string
  idempotency: Idempotency
}

/** Stores the key of this installation with a copy of a tenant's records. */
export async function storeDigestKey(records: TenantData, context: Context): Promise<void> {
  const { secretBox } = context.shared
  const key = (await readDigestKey(context, secretBox, idempotencyPurpose)).toString('base64')
  await insertFormerKey(records, {
    id: newId(),
    key: secretBox.encrypt(key, formerKeyPurpose),
    created_at: now(context),
  })
}

/**
 * Finds the outcome by the digests of former installations.
 * @param before keys that are older are deleted first, because all their records have expired
 * @throws ServiceError `keyReused` when the earlier request with the key was different
 */
export async function findFormerOutcome(
  data: TenantData,
  secretBox: SecretBox,
  { request, before }: { request: KeyedRequest; before: string },
): Promise<Uint8Array | null> {
  await expireFormerKeys(data, before)
  for (const encrypted of await findFormerKeys(data)) {
    const digestKey = Buffer.from(secretBox.decrypt(encrypted, formerKeyPurpose), 'base64')
    const digest = (text: string) => createHmac('sha256', digestKey).update(text).digest('base64url')
    const known = await findOutcome(data, digest(request.key))
    if (known === null) continue
    refuseOther(known, request.idempotency, digest)
    return known.outcome
  }
  return null
}

/**
 * Records of earlier versions have the digest of the request as it was sent, which is made for those alone.
 * @throws ServiceError `keyReused` if the record was made for another request with the same Idempotency-Key
 */
export function refuseOther(
  { fingerprint }: { fingerprint: string },
  request: Idempotency,
  digest: (text: string) => string,
): void {
  if (fingerprint === digest(request.fingerprint)) return
  if (fingerprint !== digest(request.sentFingerprint())) throw new ServiceError('keyReused')
}
