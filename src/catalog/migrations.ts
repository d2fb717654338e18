import type { Migration } from '../database/migration.ts'
import { readMigrations } from '../database/schema/read-migrations.ts'

/** In files that `migrate diff` writes. The bundle has a copy of the folder beside it. */
export const writtenMigrations = readMigrations(new URL('migrations', import.meta.url))

/** By their names. An earlier version would leave the versions of rows behind when it moves or erases a tenant. */
const oldestVersions: Readonly<Record<string, string>> = {
  '0003-create-category-version-product-version': '0.2.0',
}

/** The prefix tells them from the migrations of an application. */
export const catalogMigrations: Migration[] = writtenMigrations.migrations.map((migration) => ({
  ...migration,
  name: `catalog-${migration.name}`,
  ...(migration.name in oldestVersions && { oldestVersion: oldestVersions[migration.name] }),
}))
