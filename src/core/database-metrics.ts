import type { Database } from '../database/executor.ts'
import type { Metric } from './metric.ts'

/** @returns the metrics of the connections to the shared database; on SQLite they have no samples */
export function databaseMetrics(database: Database): Metric[] {
  const read = (figure: 'held' | 'waiting' | 'refused') => () =>
    (database.connectionUsage?.() ?? []).map(({ user, use, [figure]: value }) => ({
      labels: { user, use },
      value,
    }))
  const labels = ['user', 'use']
  return [
    {
      name: 'database_connections_in_use',
      help: 'Connections to the shared database in use, by user and purpose.',
      kind: 'gauge',
      labels,
      read: read('held'),
    },
    {
      name: 'database_connection_waiters',
      help: 'Requests and jobs that wait for a connection to the shared database.',
      kind: 'gauge',
      labels,
      read: read('waiting'),
    },
    {
      name: 'database_connection_refusals_total',
      help: 'Refused requests for a connection to the shared database: too many waiters, or too long a wait.',
      kind: 'counter',
      labels,
      read: read('refused'),
    },
  ]
}
