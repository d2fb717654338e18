/** Metrics of memory that is used for callers, and of refusals. */

import type { Shared } from '../../core/context.ts'
import type { BodyMemory } from '../../core/limits/body-memory.ts'
import type { Metric } from '../../core/metric.ts'

export function loadMetrics({ replyMemory, costLimiter }: Shared, bodyMemory: BodyMemory): Metric[] {
  return [
    {
      name: 'reply_memory_bytes',
      help: 'Bytes of replies that their clients have not read: large replies, and small ones that were not taken at once.',
      kind: 'gauge',
      read: () => [{ value: replyMemory.usedBytes }],
    },
    {
      name: 'reply_memory_max_bytes',
      help: 'The maximum of reply_memory_bytes.',
      kind: 'gauge',
      read: () => [{ value: replyMemory.maxBytes }],
    },
    {
      name: 'reply_memory_refused_total',
      help: 'Large replies that were refused because others held too much memory.',
      kind: 'counter',
      read: () => [{ value: replyMemory.refused }],
    },
    {
      name: 'request_body_bytes',
      help: 'Bytes of request bodies that are incomplete.',
      kind: 'gauge',
      read: () => [{ value: bodyMemory.bytes }],
    },
    {
      name: 'request_body_max_bytes',
      help: 'The maximum of request_body_bytes.',
      kind: 'gauge',
      read: () => [{ value: bodyMemory.maxBytes }],
    },
    {
      name: 'cost_limited_total',
      help: 'Operations that were refused because their callers had spent their cost units.',
      kind: 'counter',
      read: () => [{ value: costLimiter.refused }],
    },
  ]
}
