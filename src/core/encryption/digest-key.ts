/**
 * The keys of keyed digests (HMAC), by which a secret such as a token is looked up. They are created once and stored
 * encrypted: a change of the master key encrypts them anew but does not change them.
 */
import type { InstallationData } from '../../database/data.ts'
import type { Database, Executor } from '../../database/executor.ts'
import type { Context } from '../context.ts'
import { installation } from '../installation.ts'
import type { SecretBox } from './secret-box.ts'
import { findDigestKeys, insertDigestKey } from './sql.ts'

export const digestKeyPurpose = 'digest-key'

/**
 * Loads a key for each purpose into the secret box, and creates missing keys. Of several instances that start together,
 * one creates a key and all use it.
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

/** Reads the key of this installation for a purpose. @throws CannotDecrypt; Error if there is no such key */
export async function readDigestKey(
  from: Context | Executor,
  secretBox: SecretBox,
  purpose: string,
): Promise<Buffer> {
  const stored = (await findDigestKeys(encryption(from))).find((one) => one.purpose === purpose)
  if (stored === undefined) throw new Error(`There is no digest key for ${purpose}.`)
  return Buffer.from(secretBox.decrypt(stored.key, digestKeyPurpose), 'base64')
}

/** @returns the handle for the keys of digests and the list of encrypted columns, which belong to no tenant */
export function encryption(from: Context | Executor): InstallationData {
  return installation(from, 'the keys of the installation encrypt the columns of all tenants')
}
