import type { Migration } from '../../database/migration.ts'
import { sqliteStatistics } from '../../database/sqlite/statistics.ts'

/**
 * Figures of a long log, because SQLite plans queries as if a tenant had ten rows. The events are included:
 * deliveries are joined with them.
 */
const recordStatistics = [
  ...sqliteStatistics('event', {
    event: '1000000 100000 1',
    event_undispatched: '10000 1000 1',
    event_position: '1000000 100000 1',
  }),
  ...sqliteStatistics('delivery', {
    delivery: '1000000 100000 1',
    sqlite_autoindex_delivery_2: '1000000 100000 2 1 1',
    delivery_queue: '10000 100 2 1',
    delivery_subscription: '1000000 100000 10000 1',
    delivery_event_type: '1000000 100000 10000 1',
    delivery_undelivered: '10000 1000 100 1',
    delivery_undelivered_of_tenant: '10000 1000 1 1 1',
  }),
]

export const deliveryMigrations: Migration[] = [
  {
    name: 'delivery-0001',
    database: 'tenant',
    statements: (t, dialect) => {
      // On PostgreSQL only the primary key begins with the tenant, so that the planner uses no other index to find an id.
      const columns = (column: string) =>
        dialect === 'sqlite' ? `tenant_id, ${column}` : `${column}, tenant_id`
      return [
        `CREATE TABLE delivery (
          tenant_id ${t.key} NOT NULL,
          id ${t.id} NOT NULL,
          subscription_id ${t.id} NOT NULL,
          event_id ${t.key} NOT NULL,
          event_type ${t.key} NOT NULL,
          kind ${t.text} NOT NULL,
          copy ${t.key} NOT NULL,
          status ${t.text} NOT NULL,
          attempts ${t.integer} NOT NULL,
          attempts_before ${t.integer} NOT NULL,
          queue ${t.key},
          next_at ${t.timestamp},
          lease ${t.text},
          created_at ${t.timestamp} NOT NULL,
          finished_at ${t.timestamp},
          reason ${t.text},
          PRIMARY KEY (tenant_id, id),
          CONSTRAINT delivery_once UNIQUE (${columns('event_id')}, subscription_id, copy),
          FOREIGN KEY (tenant_id, event_id) REFERENCES event (tenant_id, id)
        ) ${t.clustered}`,
        'CREATE INDEX delivery_queue ON delivery (queue, next_at, id) WHERE queue IS NOT NULL',
        `CREATE INDEX delivery_subscription ON delivery (${columns('subscription_id')}, id)`,
        `CREATE INDEX delivery_event_type ON delivery (${columns('event_type')}, id)`,
        `CREATE INDEX delivery_undelivered ON delivery (tenant_id, subscription_id, id)
          WHERE status IN ('DEAD', 'KEPT')`,
        // With the last two columns, counting reads only the index.
        `CREATE INDEX delivery_undelivered_of_tenant ON delivery (tenant_id, id, status, subscription_id)
          WHERE status IN ('DEAD', 'KEPT')`,
        `CREATE TABLE attempt (
          tenant_id ${t.key} NOT NULL,
          delivery_id ${t.id} NOT NULL,
          id ${t.id} NOT NULL,
          number ${t.integer} NOT NULL,
          started_at ${t.timestamp} NOT NULL,
          duration_ms ${t.integer} NOT NULL,
          outcome ${t.text} NOT NULL,
          error_class ${t.text},
          status ${t.integer},
          request_headers ${t.text} NOT NULL,
          response_headers ${t.text} NOT NULL,
          response_excerpt ${t.text} NOT NULL,
          PRIMARY KEY (tenant_id, delivery_id, id)
        ) ${t.clustered}`,
        ...(dialect === 'sqlite' ? recordStatistics : []),
      ]
    },
  },
]
