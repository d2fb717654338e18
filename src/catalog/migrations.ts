import type { Migration } from '../database/migration.ts'
import { readMigrations } from '../database/schema/read-migrations.ts'

/** In files that `migrate diff` writes. The bundle has a copy of the folder beside it. */
export const writtenMigrations = readMigrations(new URL('migrations', import.meta.url))

/** The prefix tells them from the migrations of an application. */
export const catalogMigrations: Migration[] = writtenMigrations.migrations.map((migration) => ({
  ...migration,
  name: `catalog-${migration.name}`,
}))
