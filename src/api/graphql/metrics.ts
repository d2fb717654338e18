import type { Metric } from '../../core/metric.ts'
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
    {
      name: 'graphql_subscribers',
      help: 'Active subscriptions on this instance.',
      kind: 'gauge',
      read: () => [{ value: gateway.subscriptionCount }],
    },
  ]
}
