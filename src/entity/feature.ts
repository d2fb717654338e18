import type { Feature } from '../core/feature/feature.ts'
import { Count } from '../core/schema/stored.ts'
import { cursorPurpose } from '../core/sealed-cursor.ts'
import { createFoldFunction, replaceFoldFunction } from '../database/fold-text.ts'
import { creationOf, type Table } from '../database/table.ts'
import { descriptionRoute } from './description-route.ts'
import { historyDays } from './history/sweep.ts'

/** The last number that each field of the kind `sequence` has given in a tenant. */
const sequences: Table = {
  name: 'sequence',
  columns: [
    { name: 'name', kind: 'key', isNullable: false },
    { name: 'last', kind: 'integer', isNullable: false },
  ],
  key: ['name'],
  indexes: [],
  foreignKeys: [],
}

/** The route, the settings and the migrations that all entities share. */
export const entityFeature: Feature = {
  name: 'entity',
  routes: [descriptionRoute],
  columns: { sequence: { last: Count } },
  tenantSettings: { historyDays },
  digests: [cursorPurpose], // cursors are authenticated with a key of the service
  migrations: [
    {
      name: 'entity-0001',
      database: 'tenant',
      statements: (types, dialect) => [
        ...(dialect === 'postgres' ? [createFoldFunction] : []),
        ...creationOf(sequences, types, dialect),
      ],
    },
    {
      name: 'entity-0002',
      database: 'tenant',
      oldestVersion: '0.2.0',
      foldsAgain: true, // the new function folds some letters differently, so stored folded texts change
      statements: (_, dialect) => (dialect === 'postgres' ? [replaceFoldFunction] : []),
    },
  ],
}
