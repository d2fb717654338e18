import type { AuditCatalogue } from '../core/audit/action.ts'
import type { Feature } from '../core/feature/feature.ts'
import type { FileNaming } from '../core/feature/file-naming.ts'
import type { Files } from '../core/file-store.ts'
import { fileColumns } from './columns.ts'
import { fileEventsFor } from './event.ts'
import { linkPurpose } from './link.ts'
import { fileMetrics } from './metrics.ts'
import { fileMigrations } from './migration.ts'
import { fileRoutes } from './rest.ts'
import { areFilesRuled, fileRules, reachAllFiles } from './rules.ts'
import { fileSweep } from './sweep.ts'

export const fileAudit = {
  'file.created': 'A file was uploaded',
  'file.deleted': 'A file was deleted, by a caller or because no row named it',
} satisfies AuditCatalogue

declare module '../core/audit/action.ts' {
  interface AuditActions extends Record<keyof typeof fileAudit, string> {}
}

/** @param namings the columns of all features that name files */
export function fileFeature(files: Files, namings: readonly FileNaming[]): Feature {
  const isRuled = areFilesRuled(namings)
  return {
    name: 'file',
    permissions: {
      'file:read': { description: 'Download files', role: 'User' },
      'file:write': { description: 'Upload and delete files', role: 'User' },
      ...(isRuled && { [reachAllFiles]: { description: 'Reach all files', role: 'Admin' } }),
    },
    ...(isRuled && { rowRules: () => fileRules(namings) }),
    columns: fileColumns,
    migrations: fileMigrations,
    routes: fileRoutes,
    events: fileEventsFor(isRuled ? reachAllFiles : 'file:read'),
    audited: fileAudit,
    jobs: [fileSweep()],
    metrics: fileMetrics(files),
    digests: [linkPurpose],
  }
}
