import type { Metric } from '../../core/metric.ts'
import type { HashQueue } from './hash-queue.ts'

export function hashingMetrics(queue: HashQueue): Metric[] {
  return [
    {
      name: 'password_hash_queue_depth',
      help: 'Requests that wait for a password to be hashed',
      kind: 'gauge',
      read: () => [{ value: queue.depth }],
    },
    {
      name: 'password_hash_wait_seconds_total',
      help: 'How long password hashes have waited before they were computed, all together',
      kind: 'counter',
      read: () => [{ value: queue.waitedSeconds }],
    },
    {
      name: 'password_hashes_total',
      help: 'Password hashes by outcome: computed, refused (503), or abandoned with the request of its client',
      kind: 'counter',
      labels: ['outcome'],
      read: () => queue.outcomes(),
    },
  ]
}
