import type { Database } from '../database/executor.ts'
import type { Feature } from '../feature.ts'
import { clockMetric } from './clock.ts'
import type { Engine } from './engine.ts'
import { deliveryRoutes } from './log/rest.ts'
import { QueueFigures } from './metrics/figures.ts'
import { deliveryMetrics } from './metrics/metrics.ts'
import { figuresJob } from './metrics/own-databases.ts'
import { deliveryMigrations } from './migration.ts'
import { deliveryRetentionJob } from './retention/retention.ts'

export interface DeliveryParts {
  engine: () => Engine
  catalogue: Database
  clock: () => Date
  /** How long what is finished is kept. */
  retentionDays: number
  /** Tenants whose own database may hold something that waits. */
  marked(): Promise<string[]>
}

export function deliveryFeature({ engine, catalogue, clock, retentionDays, marked }: DeliveryParts): Feature {
  const figures = new QueueFigures(catalogue, clock)
  return {
    name: 'delivery',
    migrations: deliveryMigrations,
    routes: deliveryRoutes,
    jobs: [deliveryRetentionJob(retentionDays, figures), figuresJob(figures, marked)],
    metrics: [...deliveryMetrics(engine, figures, clock), clockMetric(catalogue, clock)],
  }
}
