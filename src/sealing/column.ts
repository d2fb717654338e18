/** Which columns hold what is sealed: those of the features that run, and those of all that have run here. */
import { CatalogueData } from '../database/data.ts'
import type { Database } from '../database/executor.ts'
import type { SealedColumn } from '../database/sealed-rows.ts'
import { findSealedColumns, upsertSealedColumn } from './sql.ts'

/** The command line runs without the features of an application: it learns of their columns here. */
export async function rememberColumns(database: Database, columns: readonly SealedColumn[]): Promise<void> {
  const known = await findSealedColumns(new CatalogueData(database.executor))
  const places = new Map(known.map(({ purpose, place }) => [purpose, place]))
  const rows = columns.map(({ purpose, ...place }) => ({ purpose, place: JSON.stringify(place) }))
  const changed = rows.filter(({ purpose, place }) => places.get(purpose) !== place)
  if (changed.length === 0) return
  await database.transaction(async (transaction) => {
    for (const row of changed) await upsertSealedColumn(new CatalogueData(transaction), row)
  })
}

export async function rememberedColumns(catalogue: CatalogueData): Promise<SealedColumn[]> {
  const rows = await findSealedColumns(catalogue)
  return rows.map(({ purpose, place }) => ({ purpose, ...JSON.parse(place) })) // written above
}
