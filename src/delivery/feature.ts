import type { Feature } from '../feature.ts'
import type { Engine } from './engine.ts'
import { deliveryRoutes } from './log/rest.ts'
import { deliveryMetrics } from './metrics/metrics.ts'
import { deliveryMigrations } from './migration.ts'
import { retentionJob } from './retention/retention.ts'

/** @param retentionDays how long what is finished is kept */
export function deliveryFeature(engine: () => Engine, clock: () => Date, retentionDays: number): Feature {
  return {
    name: 'delivery',
    migrations: deliveryMigrations,
    routes: deliveryRoutes,
    jobs: [retentionJob(retentionDays)],
    metrics: deliveryMetrics(engine, clock),
  }
}
