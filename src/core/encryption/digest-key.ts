/** The keys of digests: made once, kept sealed, the same whatever the master key is. */
import { CatalogueData } from '../../database/data.ts'
import type { Database } from '../../database/executor.ts'
import type { Sealer } from './secret-box.ts'
import { findDigestKeys, insertDigestKey } from './sql.ts'

export const digestKeyPurpose = 'digest-key'

/**
 * Gives the sealer a key for each purpose. Of several instances that start together one makes it.
 * @throws CannotUnseal
 */
export async function loadDigestKeys(
  database: Database,
  { sealer, purposes, now }: { sealer: Sealer; purposes: readonly string[]; now: string },
): Promise<void> {
  const outside = new CatalogueData(database.executor)
  const kept = new Set((await findDigestKeys(outside)).map(({ purpose }) => purpose))
  const missing = purposes.filter((purpose) => !kept.has(purpose))
  if (missing.length > 0) {
    await database.transaction(async (transaction) => {
      const catalogue = new CatalogueData(transaction)
      for (const purpose of missing) {
        const key = Buffer.from(sealer.firstDigestKey(purpose)).toString('base64')
        const row = { purpose, key: sealer.seal(key, digestKeyPurpose), created_at: now }
        await insertDigestKey(catalogue, row)
      }
    })
  }
  for (const { purpose, key } of await findDigestKeys(outside)) {
    sealer.useDigestKey(purpose, Buffer.from(sealer.open(key, digestKeyPurpose), 'base64'))
  }
}

/** The key of this installation. @throws CannotUnseal; Error when it was never made */
export async function readDigestKey(
  catalogue: CatalogueData,
  sealer: Sealer,
  purpose: string,
): Promise<Buffer> {
  const kept = (await findDigestKeys(catalogue)).find((one) => one.purpose === purpose)
  if (kept === undefined) throw new Error(`There is no digest key for ${purpose}.`)
  return Buffer.from(sealer.open(kept.key, digestKeyPurpose), 'base64')
}
