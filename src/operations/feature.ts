/** The feature of the operator: the state of the service and its tenants, and operations on whole tenants. */
import type { Readiness } from '../api/http/readiness.ts'
import type { RequestFigures } from '../api/http/request-figures.ts'
import type { AuditCatalogue } from '../core/audit/action.ts'
import type { Feature } from '../core/feature/feature.ts'
import { ownCountsJob } from '../core/queue/own-counts.ts'
import type { PendingTenants } from '../core/queue/pending-tenants.ts'
import type { Config } from '../core/settings/config.ts'
import { storeFolder } from '../files/create-files.ts'
import { deadWorkRoutes } from './dead-work/rest.ts'
import { MinuteFigures } from './figures/history.ts'
import { figureHistoryRoute, figureRoute } from './figures/rest.ts'
import { Instances } from './instance/instances.ts'
import { instanceMigrations } from './instance/migration.ts'
import { instanceRoutes } from './instance/rest.ts'
import { endSwitches } from './move/move.ts'
import { backupHome } from './operation/home.ts'
import { operationMigrations } from './operation/migration.ts'
import { operationRoutes } from './operation/rest.ts'
import { operationJob } from './operation/run.ts'
import { tenantHealthRoutes } from './tenant-health/rest.ts'
import { TenantHealth, type TenantHealthParts } from './tenant-health/tenant-health.ts'
import { tenantOverviewRoute } from './tenant-overview/rest.ts'
import { tenantSizeRoute } from './tenant-size/rest.ts'
import { TenantSizes } from './tenant-size/tenant-sizes.ts'
import { usageMigrations } from './usage/migration.ts'
import { usageRoute } from './usage/rest.ts'
import { storeUsage, usageRetention } from './usage/usage.ts'

export const operationAudit = {
  'tenant.moved': 'A tenant was moved to another database',
  'tenant.imported': 'A tenant was imported from an archive',
  'tenant.erased': 'A tenant was erased with everything it had',
  'operation.requested': 'A backup, or an export, a move or an erasure of a tenant was requested',
  'deadLetters.replayRequested': 'Dead deliveries of one tenant or of all were to be sent again',
  'deadJobs.retryRequested': 'Dead jobs of one tenant or of all were to be retried',
  'deadMails.retryRequested': 'Mails of one tenant or of all that were not sent were to be retried',
  'key.reencrypted': 'Secrets at rest were re-encrypted under the current master key',
} satisfies AuditCatalogue

declare module '../core/audit/action.ts' {
  interface AuditActions extends Record<keyof typeof operationAudit, string> {}
}

interface OperationParts extends TenantHealthParts {
  readiness: Pick<Readiness, 'reason'>
  requestFigures: RequestFigures
  pendingTenants: PendingTenants
  config: Pick<Config, 'dataDir' | 'filesUrl'>
}

/** The job `endSwitches` runs on every instance, to finish the switch of a tenant whose move was interrupted. */
export function operationsFeature(parts: OperationParts): Feature {
  const { config } = parts
  const operation = operationJob(config.filesUrl === null ? storeFolder(config) : null)
  const instances = new Instances(parts)
  const health = new TenantHealth(parts)
  const sizes = new TenantSizes()
  const { readiness, requestFigures: requests } = parts
  const history = new MinuteFigures({ requests, health, clock: parts.clock })
  const figures = { instanceId: instances.ownId, readiness, requests, health }
  return {
    name: 'operation',
    permissions: {
      'operation:read': {
        description: 'See the state of the service and of all tenants',
        role: 'Admin',
        isForHost: true,
      },
      'operation:write': {
        description:
          'Request backups, and exports, moves and erasures of tenants; try again what failed for good',
        role: 'Admin',
        isForHost: true,
      },
    },
    audited: operationAudit,
    migrations: [...instanceMigrations, ...operationMigrations, ...usageMigrations],
    routes: [
      ...tenantHealthRoutes(health),
      tenantOverviewRoute({ health, sizes }),
      tenantSizeRoute(sizes),
      usageRoute,
      ...instanceRoutes(instances),
      figureRoute(figures),
      figureHistoryRoute(history, instances),
      ...operationRoutes(operation),
      ...deadWorkRoutes(parts),
    ],
    home: backupHome,
    jobs: [
      endSwitches,
      instances.job,
      history.job,
      operation,
      storeUsage,
      usageRetention,
      ownCountsJob([parts.statistics, parts.ownDeadJobs], parts.pendingTenants),
    ],
  }
}
