import type { AuditCatalogue } from '../core/audit/action.ts'
import type { Feature } from '../core/feature/feature.ts'
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

/** With the job by which every instance finishes the switch of an interrupted move. */
export function operationsFeature(parts: TenantHealthParts): Feature {
  const instances = new Instances(parts)
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
    routes: [...tenantHealthRoutes(new TenantHealth(parts)), ...instanceRoutes(instances)],
    jobs: [endSwitches, instances.job],
  }
}
