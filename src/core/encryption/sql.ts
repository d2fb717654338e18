import type { Selectable } from 'kysely'
import type { InstallationData } from '../../database/data.ts'
import { prepareForInstallation } from '../../database/prepared.ts'
import type { DigestKeyTable, EncryptedColumnTable } from './table.ts'

/** The statements of encryption: keys of digests, and the list of encrypted columns. */

type DigestKeyRow = Selectable<DigestKeyTable>
type EncryptedColumnRow = Selectable<EncryptedColumnTable>

const digestKeys = prepareForInstallation((tables) => tables.selectFrom('digest_key').selectAll())

export function findDigestKeys(installation: InstallationData): Promise<DigestKeyRow[]> {
  return installation.all(digestKeys, {})
}

const newDigestKey = prepareForInstallation((tables, p: DigestKeyRow) =>
  tables
    .insertInto('digest_key')
    .values({ purpose: p.purpose, key: p.key, created_at: p.created_at })
    .onConflict((conflict) => conflict.column('purpose').doNothing()),
)

/** Inserts the key unless there is one for the purpose. */
export async function insertDigestKey(installation: InstallationData, row: DigestKeyRow): Promise<void> {
  await installation.change(newDigestKey, row)
}

const encryptedColumns = prepareForInstallation((tables) =>
  tables.selectFrom('encrypted_column').selectAll().orderBy('name'),
)

export function findEncryptedColumns(installation: InstallationData): Promise<EncryptedColumnRow[]> {
  return installation.all(encryptedColumns, {})
}

const recordedColumn = prepareForInstallation((tables, p: EncryptedColumnRow) =>
  tables
    .insertInto('encrypted_column')
    .values({ name: p.name, location: p.location })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ location: p.location })),
)

export async function upsertEncryptedColumn(
  installation: InstallationData,
  row: EncryptedColumnRow,
): Promise<void> {
  await installation.change(recordedColumn, row)
}
