import type { Feature } from '../feature.ts'
import { connectionPurpose } from './databases.ts'
import { tenantMigrations } from './migration.ts'
import { tenantRoutes } from './rest.ts'

export const tenantFeature: Feature = {
  name: 'tenant',
  migrations: tenantMigrations,
  routes: tenantRoutes,
  sealed: [
    {
      purpose: connectionPurpose,
      database: 'catalogue',
      table: 'tenant',
      column: 'connection_string',
      key: ['id_key'],
    },
  ],
}
