/** Figures of all databases together: instances on one database report the same. */
import type { Metric } from '../../../core/metric.ts'
import type { QueueWorkers } from '../../../core/queue/workers.ts'
import type { Deliveries } from '../deliveries.ts'
import type { QueueFigures } from './figures.ts'
import type { Figures } from './sql.ts'

interface MetricSources {
  deliveries: Deliveries
  workers: QueueWorkers
}

/** @param sources called when the metrics are read: they are made after the features */
export function deliveryMetrics(
  sources: () => MetricSources,
  figures: QueueFigures,
  now: () => Date,
): Metric[] {
  const figure = (name: keyof Figures) => async () => [{ value: (await figures.sum())[name] }]
  return [
    {
      name: 'webhook_attempts_total',
      help: 'Attempts to deliver, by outcome and class of error.',
      kind: 'counter',
      labels: ['outcome', 'error'],
      read: () => sources().deliveries.attempts.samples(),
    },
    {
      name: 'webhook_in_flight',
      help: 'Deliveries that this instance is sending.',
      kind: 'gauge',
      read: () => [{ value: sources().deliveries.limiter.inUse }],
    },
    {
      name: 'webhook_queue_depth',
      help: 'Deliveries that wait to be sent, or are being sent.',
      kind: 'gauge',
      read: figure('waiting'),
    },
    {
      name: 'webhook_undispatched_events',
      help: 'Events that are not dispatched yet.',
      kind: 'gauge',
      read: figure('undispatched'),
    },
    {
      name: 'webhook_oldest_due_seconds',
      help: 'How long the oldest delivery has been due without being sent; 0 when none is.',
      kind: 'gauge',
      read: () => {
        const nowMs = now().getTime()
        const due = sources()
          .workers.workers()
          .flatMap(({ queues }) => queues[0]?.dueIndex.oldest() ?? [])
        return [{ value: Math.max(0, ...due.map((dueMs) => (nowMs - dueMs) / 1000)) }]
      },
    },
    {
      name: 'webhook_dead_letters',
      help: 'Deliveries whose last attempt failed and that can be recovered, as of the last count.',
      kind: 'gauge',
      read: figure('dead'),
    },
  ]
}
