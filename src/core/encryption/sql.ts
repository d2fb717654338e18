import type { Insertable, Selectable } from 'kysely'
import type { DigestKeyTable, EncryptedColumnTable } from '../../database/catalogue-tables.ts'
import type { InstallationData } from '../../database/data.ts'

export function findDigestKeys(catalogue: InstallationData): Promise<Selectable<DigestKeyTable>[]> {
  return catalogue.kysely.selectFrom('digest_key').selectAll().execute()
}

/** Unless there is one for the purpose. */
export async function insertDigestKey(
  catalogue: InstallationData,
  row: Insertable<DigestKeyTable>,
): Promise<void> {
  await catalogue.kysely
    .insertInto('digest_key')
    .values(row)
    .onConflict((conflict) => conflict.column('purpose').doNothing())
    .execute()
}

export function findEncryptedColumns(
  catalogue: InstallationData,
): Promise<Selectable<EncryptedColumnTable>[]> {
  return catalogue.kysely.selectFrom('encrypted_column').selectAll().orderBy('name').execute()
}

export async function upsertEncryptedColumn(
  catalogue: InstallationData,
  row: Insertable<EncryptedColumnTable>,
): Promise<void> {
  await catalogue.kysely
    .insertInto('encrypted_column')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ location: row.location }))
    .execute()
}
