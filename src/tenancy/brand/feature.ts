import type { Feature } from '../../core/feature/feature.ts'
import type { AccountPages } from '../../identity/account-link.ts'
import { brandColumns } from './columns.ts'
import { brandMigrations } from './migration.ts'
import { brandRoutes } from './rest.ts'

export function brandFeature(pages: AccountPages): Feature {
  return { name: 'brand', columns: brandColumns, migrations: brandMigrations, routes: brandRoutes(pages) }
}
