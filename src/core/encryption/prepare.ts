/** Prepares encryption at the start: allows the purposes of the features, records their columns, loads digest keys. */
import type { EncryptedColumn } from '../../database/encrypted-rows.ts'
import type { Database, Executor } from '../../database/executor.ts'
import type { Context, Shared } from '../context.ts'
import type { Feature } from '../feature/feature.ts'
import { encryption, loadDigestKeys } from './digest-key.ts'
import { findEncryptedColumns, upsertEncryptedColumn } from './sql.ts'

/**
 * Allows the features to encrypt for the purposes that they declare. The caller loads the signing keys before, so
 * that a start with a wrong master key fails before anything is written.
 */
export async function prepareEncryption(
  database: Database,
  features: readonly Feature[],
  { secretBox, clock }: Shared,
): Promise<void> {
  const columns = features.flatMap(({ encrypted }) => encrypted ?? [])
  secretBox.allowPurposes(columns.map(({ purpose }) => purpose))
  await recordEncryptedColumns(database, columns)
  const purposes = features.flatMap(({ digests }) => digests ?? [])
  await loadDigestKeys(database, { secretBox, purposes, now: clock().toISOString() })
}

/** Records the columns for the command line, which runs without the features of an application. */
async function recordEncryptedColumns(
  database: Database,
  columns: readonly EncryptedColumn[],
): Promise<void> {
  const known = await findEncryptedColumns(encryption(database.executor))
  const locations = new Map(known.map(({ name, location }) => [name, location]))
  const rows = columns.map((column) => ({
    name: `${column.table}.${column.column}`,
    location: JSON.stringify(column),
  }))
  const changed = rows.filter(({ name, location }) => locations.get(name) !== location)
  if (changed.length === 0) return
  await database.transaction(async (transaction) => {
    for (const row of changed) await upsertEncryptedColumn(encryption(transaction), row)
  })
}

/** @returns the encrypted columns of all features that have run on this database */
export async function recordedEncryptedColumns(from: Context | Executor): Promise<EncryptedColumn[]> {
  const rows = await findEncryptedColumns(encryption(from))
  return rows.map(({ location }) => JSON.parse(location)) // written above
}
