/** Saved views: the filters, columns and layout of a list, which a user keeps or shares with others. */
import type { AuditCatalogue } from '../../core/audit/action.ts'
import type { Feature } from '../../core/feature/feature.ts'
import { savedViewColumns } from './columns.ts'
import { savedViewMigrations } from './migration.ts'
import { sharePermission } from './reach.ts'
import { savedViewRoutes } from './rest.ts'

export const savedViewAudit = {
  'view.shared': 'A view was shared, or a shared one was changed',
  'view.withdrawn': 'A shared view was deleted, or is no longer shared',
} satisfies AuditCatalogue

declare module '../../core/audit/action.ts' {
  interface AuditActions extends Record<keyof typeof savedViewAudit, string> {}
}

export const savedViewFeature: Feature = {
  name: 'saved-view',
  permissions: {
    [sharePermission]: {
      description: 'Share views of lists with others, and change shared ones',
      role: 'Admin',
    },
  },
  audited: savedViewAudit,
  columns: savedViewColumns,
  migrations: savedViewMigrations,
  routes: savedViewRoutes,
}
