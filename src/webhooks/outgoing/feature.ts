import type { Feature } from '../../core/feature/feature.ts'
import type { Database } from '../../database/executor.ts'
import { clockMetric } from './clock.ts'
import type { Engine } from './engine.ts'
import { deliveryRoutes } from './log/rest.ts'
import { QueueFigures } from './metrics/figures.ts'
import { deliveryMetrics } from './metrics/metrics.ts'
import { figuresJob } from './metrics/own-databases.ts'
import { deliveryMigrations } from './migration.ts'
import type { PendingTenants } from './pending-tenants/pending-tenants.ts'
import { deliveryRetentionJob } from './retention/retention.ts'

export interface DeliveryParts {
  engine: () => Engine
  catalogue: Database
  clock: () => Date
  /** How long what is finished is kept. */
  retentionDays: number
  pendingTenants: PendingTenants
}

export function deliveryFeature(parts: DeliveryParts): Feature {
  const { engine, catalogue, clock, retentionDays, pendingTenants } = parts
  const figures = new QueueFigures(catalogue, clock)
  return {
    name: 'delivery',
    migrations: deliveryMigrations,
    routes: deliveryRoutes,
    jobs: [deliveryRetentionJob(retentionDays, figures), figuresJob(figures, pendingTenants)],
    metrics: [...deliveryMetrics(engine, figures, clock), clockMetric(catalogue, clock)],
  }
}
