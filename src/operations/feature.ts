import type { RequestFigures } from '../api/http/request-figures.ts'
import type { AuditCatalogue } from '../core/audit/action.ts'
import type { Feature } from '../core/feature/feature.ts'
import { figureRoute } from './figures/rest.ts'
import { Instances } from './instance/instances.ts'
import { instanceMigrations } from './instance/migration.ts'
import { instanceRoutes } from './instance/rest.ts'
import { endSwitches } from './move/move.ts'
import { tenantHealthRoutes } from './tenant-health/rest.ts'
import { TenantHealth, type TenantHealthParts } from './tenant-health/tenant-health.ts'

export const operationAudit = {
  'tenant.moved': 'A tenant was moved to another database',
  'tenant.imported': 'A tenant was imported from an archive',
  'tenant.erased': 'A tenant was erased with everything it had',
  'key.reencrypted': 'Secrets at rest were re-encrypted under the current master key',
} satisfies AuditCatalogue

declare module '../core/audit/action.ts' {
  interface AuditActions extends Record<keyof typeof operationAudit, string> {}
}

interface OperationParts extends TenantHealthParts {
  requestFigures: RequestFigures
}

/** With the job by which every instance finishes the switch of an interrupted move. */
export function operationsFeature(parts: OperationParts): Feature {
  const instances = new Instances(parts)
  const health = new TenantHealth(parts)
  const figures = { instanceId: instances.ownId, requests: parts.requestFigures, health }
  return {
    name: 'operation',
    permissions: {
      'operation:read': {
        description: 'See the state of the service and of all tenants',
        role: 'Admin',
        isForHost: true,
      },
    },
    audited: operationAudit,
    migrations: instanceMigrations,
    routes: [...tenantHealthRoutes(health), ...instanceRoutes(instances), figureRoute(figures)],
    jobs: [endSwitches, instances.job],
  }
}
