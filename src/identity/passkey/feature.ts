import type { AuditCatalogue } from '../../core/audit/action.ts'
import type { Feature } from '../../core/feature/feature.ts'
import type { Associations } from './association/association.ts'
import { associationRoutes } from './association/rest.ts'
import { passkeyColumns } from './columns.ts'
import { passkeyMigrations } from './migration.ts'
import { type PasskeyParts, passkeyRoutes } from './rest.ts'

export const passkeyAudit = {
  'passkey.added': 'A user added a passkey',
  'passkey.renamed': 'A user renamed a passkey',
  'passkey.removed': 'A user removed a passkey',
} satisfies AuditCatalogue

declare module '../../core/audit/action.ts' {
  interface AuditActions extends Record<keyof typeof passkeyAudit, string> {}
}

export function passkeyFeature(parts: PasskeyParts, associations: Associations): Feature {
  return {
    name: 'passkey',
    audited: passkeyAudit,
    columns: passkeyColumns,
    migrations: passkeyMigrations,
    routes: [...passkeyRoutes(parts), ...associationRoutes(associations)],
  }
}
