/**
 * The entities of the product, and the migrations in files that make their tables. `migrate diff` writes into the
 * folder beside them.
 */
import { catalog, catalogMigrations } from '../catalog/feature.ts'
import type { Feature } from '../core/feature/feature.ts'
import type { Migrations } from '../database/schema/read-migrations.ts'

export interface BuiltInEntities<Name extends string = string> {
  /** Names them in `without`, and begins the names of their migrations. */
  name: Name
  /** The entities whose tables the migrations create together. */
  entities: readonly Feature[]
  migrations: Migrations
}

export const builtInEntities = [
  { name: 'catalog', entities: catalog, migrations: catalogMigrations },
] as const satisfies BuiltInEntities[]

/** @param has whether the service has the entities of a name */
export function entityFeatures(
  has: (name: (typeof builtInEntities)[number]['name']) => boolean = () => true,
): Feature[] {
  return builtInEntities.filter(({ name }) => has(name)).flatMap(featuresOf)
}

/** One feature has the migrations of all entities: the first entity if it has the name, otherwise a feature of its own. */
function featuresOf({ name, entities, migrations: { migrations } }: BuiltInEntities): Feature[] {
  // The prefix tells them from the migrations of an application.
  const prefixed = migrations.map((migration) => ({ ...migration, name: `${name}-${migration.name}` }))
  const [first, ...others] = entities
  if (first?.name === name) return [{ ...first, migrations: prefixed }, ...others]
  return [{ name, migrations: prefixed }, ...entities]
}
