/** Entities whose tables are created with them, for tests of everything but migrations. */
import { creationOf, type Table } from '../../src/database/table.ts'
import type { Feature } from '../../src/index.ts'

/** @param entities those that others refer to first */
export function migrated(entities: readonly (Feature & { tables: readonly Table[] })[]): Feature[] {
  return entities.map((entity) => ({
    ...entity,
    migrations: [
      {
        name: `${entity.name}-0001`,
        database: 'tenant',
        statements: (types, dialect) => entity.tables.flatMap((table) => creationOf(table, types, dialect)),
      },
    ],
  }))
}
