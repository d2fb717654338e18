import { gauge, type Metric } from '../../core/metric.ts'
import type { Gateway } from './gateway.ts'

export function graphqlMetrics(gateway: Gateway): Metric[] {
  return [
    {
      name: 'graphql_operations_total',
      help: 'Operations by kind (query, mutation, subscription, or none without a valid operation) and outcome.',
      kind: 'counter',
      labels: ['kind', 'outcome'],
      read: () => gateway.operations.samples(),
    },
    gauge('graphql_subscribers', 'Active subscriptions on this instance.', () => gateway.subscriptionCount),
  ]
}
