import type { Metric } from '../../core/metric.ts'
import type { LiveLists } from './live-lists.ts'

export function liveMetrics(lists: LiveLists): Metric[] {
  return [
    {
      name: 'live_streams',
      help: 'Open streams of followed lists on this instance.',
      kind: 'gauge',
      read: () => [{ value: lists.streamCount }],
    },
    {
      name: 'live_lists',
      help: 'Lists in these streams.',
      kind: 'gauge',
      read: () => [{ value: lists.listCount }],
    },
  ]
}
