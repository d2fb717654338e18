import type { AuditCatalogue } from '../core/audit/action.ts'
import type { Feature } from '../core/feature/feature.ts'
import { endSwitches } from './move/move.ts'

export const operationAudit = {
  'tenant.moved': 'A tenant was moved to another database',
  'tenant.imported': 'A tenant was imported from an archive',
  'tenant.erased': 'A tenant was erased with everything it had',
  'key.reencrypted': 'Secrets at rest were re-encrypted under the current master key',
} satisfies AuditCatalogue

declare module '../core/audit/action.ts' {
  interface AuditActions extends Record<keyof typeof operationAudit, string> {}
}

/** The job with which every instance finishes the switch of an interrupted move. */
export const operationsFeature: Feature = {
  name: 'operation',
  audited: operationAudit,
  jobs: [endSwitches],
}
