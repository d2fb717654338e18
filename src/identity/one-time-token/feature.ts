import type { AuditCatalogue } from '../../core/audit/action.ts'
import type { Feature } from '../../core/feature/feature.ts'
import { oneTimeTokenMigrations } from './migration.ts'
import { removeExpiredTokens } from './one-time-token.ts'

export const oneTimeTokenAudit = {
  'token.refused':
    'Somebody gave a token of a mail, or the code of a sign-in, that is not valid; at most once a minute for each purpose',
} satisfies AuditCatalogue

declare module '../../core/audit/action.ts' {
  interface AuditActions extends Record<keyof typeof oneTimeTokenAudit, string> {}
}

export const oneTimeTokenFeature: Feature = {
  name: 'one-time-token',
  audited: oneTimeTokenAudit,
  migrations: oneTimeTokenMigrations,
  jobs: [removeExpiredTokens],
}
