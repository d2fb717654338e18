import { gauge, type Metric } from '../../core/metric.ts'
import type { LiveLists } from './live-lists.ts'

export function liveMetrics(lists: LiveLists): Metric[] {
  return [
    gauge('live_streams', 'Open streams of followed lists on this instance.', () => lists.streamCount),
    gauge('live_lists', 'Lists in these streams.', () => lists.listCount),
  ]
}
