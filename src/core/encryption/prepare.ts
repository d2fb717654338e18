import type { Database } from '../../database/executor.ts'
import type { Shared } from '../context.ts'
import type { Feature } from '../feature/feature.ts'
import { rememberColumns } from './column.ts'
import { loadDigestKeys } from './digest-key.ts'

/**
 * Lets the features seal what they have told of. To be called after the signing keys are loaded: a start with a master
 * key that does not open them leaves nothing behind.
 */
export async function prepareSealing(
  database: Database,
  features: readonly Feature[],
  { sealer, clock }: Shared,
): Promise<void> {
  const columns = features.flatMap(({ sealed }) => sealed ?? [])
  sealer.allow(columns.map(({ purpose }) => purpose))
  await rememberColumns(database, columns)
  const purposes = features.flatMap(({ digests }) => digests ?? [])
  await loadDigestKeys(database, { sealer, purposes, now: clock().toISOString() })
}
