import type { Metric } from '../core/metric.ts'

/** Those to the PostgreSQL databases of tenants. */
export interface Connections {
  readonly open: number
  readonly idle: number
  readonly waiting: number
}

export function connectionMetrics(connections: Connections): Metric[] {
  return [
    {
      name: 'tenant_database_connections',
      help: 'Connections to the PostgreSQL databases of tenants, by whether they are in use',
      kind: 'gauge',
      labels: ['state'],
      read: () => [
        { labels: { state: 'in_use' }, value: connections.open - connections.idle },
        { labels: { state: 'idle' }, value: connections.idle },
      ],
    },
    {
      name: 'tenant_database_connection_waiters',
      help: 'How many wait for a connection to the PostgreSQL database of a tenant',
      kind: 'gauge',
      read: () => [{ value: connections.waiting }],
    },
  ]
}
