/** The keys of digests: created once, stored encrypted, unaffected by a change of the master key. */
import type { InstallationData } from '../../database/data.ts'
import type { Database, Executor } from '../../database/executor.ts'
import type { Context } from '../context.ts'
import { installation } from '../installation.ts'
import type { SecretBox } from './secret-box.ts'
import { findDigestKeys, insertDigestKey } from './sql.ts'

export const digestKeyPurpose = 'digest-key'

/**
 * Gives the secret box a key for each purpose. Of several instances that start together one creates it.
 * @throws CannotDecrypt
 */
export async function loadDigestKeys(
  database: Database,
  { secretBox, purposes, now }: { secretBox: SecretBox; purposes: readonly string[]; now: string },
): Promise<void> {
  const reader = encryption(database.executor)
  const stored = new Set((await findDigestKeys(reader)).map(({ purpose }) => purpose))
  const missing = purposes.filter((purpose) => !stored.has(purpose))
  if (missing.length > 0) {
    await database.transaction(async (transaction) => {
      for (const purpose of missing) {
        const key = Buffer.from(secretBox.firstDigestKey(purpose)).toString('base64')
        const row = { purpose, key: secretBox.encrypt(key, digestKeyPurpose), created_at: now }
        await insertDigestKey(encryption(transaction), row)
      }
    })
  }
  for (const { purpose, key } of await findDigestKeys(reader)) {
    secretBox.useDigestKey(purpose, Buffer.from(secretBox.decrypt(key, digestKeyPurpose), 'base64'))
  }
}

/** The key of this installation. @throws CannotDecrypt; Error when there is none */
export async function readDigestKey(
  from: Context | Executor,
  secretBox: SecretBox,
  purpose: string,
): Promise<Buffer> {
  const stored = (await findDigestKeys(encryption(from))).find((one) => one.purpose === purpose)
  if (stored === undefined) throw new Error(`There is no digest key for ${purpose}.`)
  return Buffer.from(secretBox.decrypt(stored.key, digestKeyPurpose), 'base64')
}

/** The keys of digests, and the list of encrypted columns. */
export function encryption(from: Context | Executor): InstallationData {
  return installation(from, 'the keys of the installation encrypt the columns of all tenants')
}
