/** What the service holds for its callers, and what it refused them. */

import type { Shared } from '../../core/context.ts'
import type { BodyMemory } from '../../core/limits/body-memory.ts'
import type { Metric } from '../../core/metric.ts'

export function loadMetrics({ replyMemory, costLimiter }: Shared, bodyMemory: BodyMemory): Metric[] {
  return [
    {
      name: 'reply_memory_bytes',
      help: 'What large replies, and small ones that were not taken at once, hold until their clients have read them.',
      kind: 'gauge',
      read: () => [{ value: replyMemory.heldBytes }],
    },
    {
      name: 'reply_memory_max_bytes',
      help: 'What large replies may hold.',
      kind: 'gauge',
      read: () => [{ value: replyMemory.maxBytes }],
    },
    {
      name: 'reply_memory_refused_total',
      help: 'Large replies refused because others held too much.',
      kind: 'counter',
      read: () => [{ value: replyMemory.refused }],
    },
    {
      name: 'request_body_bytes',
      help: 'What request bodies hold that have come only in part.',
      kind: 'gauge',
      read: () => [{ value: bodyMemory.bytes }],
    },
    {
      name: 'request_body_max_bytes',
      help: 'What such request bodies may hold.',
      kind: 'gauge',
      read: () => [{ value: bodyMemory.maxBytes }],
    },
    {
      name: 'cost_limited_total',
      help: 'Operations refused because their callers had spent their cost units.',
      kind: 'counter',
      read: () => [{ value: costLimiter.refused }],
    },
  ]
}
