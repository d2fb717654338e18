/** Figures of the delivery. Those of the queue are asked of the databases that are open, at each collection. */
import { QueueData } from '../../database/data.ts'
import type { Metric } from '../../metric.ts'
import type { Engine } from '../engine.ts'
import { countDead, countUndispatched, countWaiting } from './sql.ts'

export function deliveryMetrics(engine: () => Engine, now: () => Date): Metric[] {
  const sum = (count: (queue: QueueData) => Promise<number>) => async () => {
    const databases = new Set(
      engine()
        .stations()
        .flatMap(({ database }) => database ?? []),
    )
    const counts = await Promise.all([...databases].map(({ executor }) => count(new QueueData(executor))))
    return [{ value: counts.reduce((all, one) => all + one, 0) }]
  }
  return [
    {
      name: 'webhook_attempts_total',
      help: 'Attempts to deliver by their outcome and the class of what went wrong.',
      kind: 'counter',
      labels: ['outcome', 'error'],
      read: () => engine().attempts.samples(),
    },
    {
      name: 'webhook_in_flight',
      help: 'Deliveries that this instance is sending.',
      kind: 'gauge',
      read: () => [{ value: engine().slots.inUse }],
    },
    {
      name: 'webhook_queue_depth',
      help: 'Deliveries that wait to be sent, or are being sent.',
      kind: 'gauge',
      read: sum(countWaiting),
    },
    {
      name: 'webhook_undispatched_events',
      help: 'Events that have not been turned into deliveries yet.',
      kind: 'gauge',
      read: sum(countUndispatched),
    },
    {
      name: 'webhook_oldest_due_seconds',
      help: 'How long the oldest delivery has been due without being sent; 0 when none is.',
      kind: 'gauge',
      read: () => {
        const nowMs = now().getTime()
        const due = engine()
          .stations()
          .flatMap(({ agenda }) => agenda.oldest() ?? [])
        return [{ value: Math.max(0, ...due.map((dueMs) => (nowMs - dueMs) / 1000)) }]
      },
    },
    {
      name: 'webhook_dead_letters',
      help: 'Deliveries that have had their last attempt in vain and can be recovered.',
      kind: 'gauge',
      read: sum(countDead),
    },
  ]
}
