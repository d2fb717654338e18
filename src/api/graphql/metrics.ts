import type { Metric } from '../../core/metric.ts'
import type { Gateway } from './gateway.ts'

export function graphqlMetrics(gateway: Gateway): Metric[] {
  return [
    {
      name: 'graphql_operations_total',
      help: 'Operations by their kind (query, mutation, subscription, none when there was no valid one) and outcome.',
      kind: 'counter',
      labels: ['kind', 'outcome'],
      read: () => gateway.operations.samples(),
    },
    {
      name: 'graphql_subscribers',
      help: 'Subscriptions that are followed on this instance.',
      kind: 'gauge',
      read: () => [{ value: gateway.live.count }],
    },
  ]
}
