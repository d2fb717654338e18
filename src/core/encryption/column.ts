/** Which columns hold what is sealed: those of the features that run, and those of all that have run here. */
import { CatalogueData } from '../../database/data.ts'
import type { Database } from '../../database/executor.ts'
import type { SealedColumn } from '../../database/sealed-rows.ts'
import { findSealedColumns, upsertSealedColumn } from './sql.ts'

/** The command line runs without the features of an application: it learns of their columns here. */
export async function rememberColumns(database: Database, columns: readonly SealedColumn[]): Promise<void> {
  const known = await findSealedColumns(new CatalogueData(database.executor))
  const places = new Map(known.map(({ name, place }) => [name, place]))
  const rows = columns.map((place) => ({
    name: `${place.table}.${place.column}`,
    place: JSON.stringify(place),
  }))
  const changed = rows.filter(({ name, place }) => places.get(name) !== place)
  if (changed.length === 0) return
  await database.transaction(async (transaction) => {
    for (const row of changed) await upsertSealedColumn(new CatalogueData(transaction), row)
  })
}

export async function rememberedColumns(catalogue: CatalogueData): Promise<SealedColumn[]> {
  const rows = await findSealedColumns(catalogue)
  return rows.map(({ place }) => JSON.parse(place)) // written above
}
