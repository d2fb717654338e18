import type { AuditCatalogue } from '../../core/audit/action.ts'
import type { Feature } from '../../core/feature/feature.ts'
import { queueMigrations } from '../../core/queue/migration.ts'
import type { QueueWorkers } from '../../core/queue/workers.ts'
import type { Database } from '../../database/executor.ts'
import { clockMetric } from './clock.ts'
import { deliveryColumns } from './columns.ts'
import type { Deliveries } from './deliveries.ts'
import { healthRoutes } from './health/rest.ts'
import { deliveryHome } from './log/home.ts'
import { deliveries } from './log/readable.ts'
import { deliveryRoutes } from './log/rest.ts'
import { deliveryMetrics } from './metrics/metrics.ts'
import type { QueueStatistics } from './metrics/statistics.ts'
import { deliveryMigrations } from './migration.ts'
import { deliveryRetentionJob } from './retention/retention.ts'

export const deliveryAudit = {
  'deadLetters.replayed': 'The operator of the service sent dead deliveries of a subscription again',
} satisfies AuditCatalogue

declare module '../../core/audit/action.ts' {
  interface AuditActions extends Record<keyof typeof deliveryAudit, string> {}
}

export interface DeliveryFeatureParts {
  /** Called when metrics are read: the sources are created after the features. */
  sources: () => { deliveries: Deliveries; workers: QueueWorkers }
  catalogue: Database
  clock: () => Date
  /** How long finished deliveries are kept. */
  retentionDays: number
  statistics: QueueStatistics
}

export function deliveryFeature(parts: DeliveryFeatureParts): Feature {
  const { sources, catalogue, clock, retentionDays, statistics } = parts
  return {
    name: 'delivery',
    audited: deliveryAudit,
    columns: deliveryColumns,
    migrations: [...deliveryMigrations, ...queueMigrations],
    routes: [...deliveryRoutes, ...healthRoutes],
    graphql: deliveries.graphql,
    home: deliveryHome,
    jobs: [deliveryRetentionJob(retentionDays, statistics)],
    metrics: [...deliveryMetrics(sources, statistics, clock), clockMetric(catalogue, clock)],
  }
}
