/** The migrations of all features and of the application. */
import type { Feature } from '../core/feature/feature.ts'
import type { Migration } from '../database/migration.ts'
import type { ServiceOptions } from './service-options.ts'

/** The first release of Tenantry. */
const firstRelease = '0.2.0'

/** Marks the migrations of a feature that state no `oldestVersion` as working with every release. */
export function sinceFirstRelease(feature: Feature): Feature {
  const { migrations } = feature
  if (migrations === undefined) return feature
  return { ...feature, migrations: migrations.map((each) => ({ oldestVersion: firstRelease, ...each })) }
}

/** Migrations in files come last, because their tables may refer to those of features. */
export function declaredMigrations(
  features: readonly Feature[],
  { migrations }: ServiceOptions,
): Migration[] {
  return [...features.flatMap((feature) => feature.migrations ?? []), ...(migrations?.migrations ?? [])]
}
