/** Metrics of memory that is used for callers, and of refusals. */

import type { Shared } from '../../core/context.ts'
import type { BodyMemory } from '../../core/limits/body-memory.ts'
import { counter, gauge, type Metric } from '../../core/metric.ts'

export function loadMetrics({ replyMemory, costLimiter }: Shared, bodyMemory: BodyMemory): Metric[] {
  return [
    gauge(
      'reply_memory_bytes',
      'Bytes of replies that their clients have not read: large replies, and small ones that were not taken at once.',
      () => replyMemory.usedBytes,
    ),
    gauge('reply_memory_max_bytes', 'The maximum of reply_memory_bytes.', () => replyMemory.maxBytes),
    counter(
      'reply_memory_refused_total',
      'Large replies that were refused because others held too much memory.',
      () => replyMemory.refused,
    ),
    gauge('request_body_bytes', 'Bytes of request bodies that are incomplete.', () => bodyMemory.bytes),
    gauge('request_body_max_bytes', 'The maximum of request_body_bytes.', () => bodyMemory.maxBytes),
    counter(
      'cost_limited_total',
      'Operations that were refused because their callers had spent their cost units.',
      () => costLimiter.refused,
    ),
  ]
}
