/** The metrics of deliveries. Counts include all databases: instances of one installation report the same counts. */
import { gauge, type Metric } from '../../../core/metric.ts'
import type { QueueWorkers } from '../../../core/queue/workers.ts'
import type { Deliveries } from '../deliveries.ts'
import type { QueueCounts } from './sql.ts'
import type { QueueStatistics } from './statistics.ts'

interface MetricSources {
  deliveries: Deliveries
  workers: QueueWorkers
}

/** @param sources called when the metrics are read: the sources are created after the features */
export function deliveryMetrics(
  sources: () => MetricSources,
  statistics: QueueStatistics,
  now: () => Date,
): Metric[] {
  const count = (name: keyof QueueCounts) => async () => [{ value: (await statistics.total())[name] }]
  return [
    {
      name: 'webhook_attempts_total',
      help: 'Attempts to deliver, by outcome and class of error.',
      kind: 'counter',
      labels: ['outcome', 'error'],
      read: () => sources().deliveries.attempts.samples(),
    },
    gauge(
      'webhook_in_flight',
      'Deliveries that this instance is sending.',
      () => sources().deliveries.limiter.inUse,
    ),
    {
      name: 'webhook_queue_depth',
      help: 'Deliveries that wait to be sent, or are being sent.',
      kind: 'gauge',
      read: count('waiting'),
    },
    {
      name: 'webhook_undispatched_events',
      help: 'Events that are not dispatched yet.',
      kind: 'gauge',
      read: count('undispatched'),
    },
    {
      name: 'webhook_oldest_due_seconds',
      help: 'How long the oldest delivery has been due without being sent; 0 when none is.',
      kind: 'gauge',
      read: () => {
        const nowMs = now().getTime()
        const due = sources()
          .workers.workers()
          .flatMap((worker) => worker.queueOf('deliveries')?.dueIndex.oldest() ?? [])
        return [{ value: Math.max(0, ...due.map((dueMs) => (nowMs - dueMs) / 1000)) }]
      },
    },
    {
      name: 'webhook_dead_letters',
      help: 'Deliveries whose last attempt failed and that can be recovered, as of the last count.',
      kind: 'gauge',
      read: count('dead'),
    },
  ]
}
