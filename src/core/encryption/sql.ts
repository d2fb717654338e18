import type { Insertable, Selectable } from 'kysely'
import type { CatalogueData } from '../../database/data.ts'
import type { DigestKeyTable, SealedColumnTable } from '../../database/key-tables.ts'

export function findDigestKeys(catalogue: CatalogueData): Promise<Selectable<DigestKeyTable>[]> {
  return catalogue.kysely.selectFrom('digest_key').selectAll().execute()
}

/** Unless there is one for the purpose. */
export async function insertDigestKey(
  catalogue: CatalogueData,
  row: Insertable<DigestKeyTable>,
): Promise<void> {
  await catalogue.kysely
    .insertInto('digest_key')
    .values(row)
    .onConflict((conflict) => conflict.column('purpose').doNothing())
    .execute()
}

export function findSealedColumns(catalogue: CatalogueData): Promise<Selectable<SealedColumnTable>[]> {
  return catalogue.kysely.selectFrom('sealed_column').selectAll().orderBy('name').execute()
}

export async function upsertSealedColumn(
  catalogue: CatalogueData,
  row: Insertable<SealedColumnTable>,
): Promise<void> {
  await catalogue.kysely
    .insertInto('sealed_column')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ place: row.place }))
    .execute()
}
