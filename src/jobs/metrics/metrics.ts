/** The metrics of jobs. Jobs in tenants' own databases are counted only in the attempts of this instance. */
import { CachedCount } from '../../core/cached-count.ts'
import { gauge, type Metric } from '../../core/metric.ts'
import { QueueData } from '../../database/data.ts'
import type { Database } from '../../database/executor.ts'
import type { JobRuns } from '../queue/job-queue.ts'
import { countByStatus } from './sql.ts'

/** @param runs called when the metrics are read, because the jobs are created after the features */
export function jobMetrics(runs: () => JobRuns, catalogue: Database, clock: () => Date): Metric[] {
  const counts = new CachedCount(clock, () => countByStatus(new QueueData(catalogue.executor, catalogue)))
  return [
    {
      name: 'tenantry_jobs_attempts_total',
      help: 'Attempts of jobs that have ended, by job and outcome.',
      kind: 'counter',
      labels: ['job', 'outcome'],
      read: () => runs().attempts.samples(),
    },
    gauge('tenantry_jobs_running', 'Jobs that this instance is running.', () => runs().limiter.inUse),
    {
      name: 'tenantry_jobs',
      help: 'Jobs in the shared database by status, without succeeded ones, as of the last count.',
      kind: 'gauge',
      labels: ['status'],
      read: async () => {
        const found = await counts.read()
        return ['PENDING', 'RUNNING', 'FAILING', 'DEAD'].map((status) => ({
          labels: { status },
          value: found.get(status) ?? 0,
        }))
      },
    },
  ]
}
