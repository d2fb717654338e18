import type { Migration } from '../../database/migration.ts'
import { sqliteStatistics } from '../../database/sqlite/statistics.ts'

/** Typical figures: SQLite would otherwise plan queries as if a tenant had ten receipts. */
const recordStatistics = sqliteStatistics('webhook_receipt', {
  webhook_receipt: '1000000 100000 1',
  sqlite_autoindex_webhook_receipt_2: '1000000 100000 10000 1',
  webhook_receipt_status: '1000000 100000 10000 1',
  webhook_receipt_provider: '1000000 100000 10000 1',
  webhook_receipt_event_type: '1000000 100000 1000 1',
})

export const incomingMigrations: Migration[] = [
  {
    name: 'incoming-0001',
    database: 'tenant',
    statements: (t) => [
      `CREATE TABLE webhook_provider (
        tenant_id ${t.key} NOT NULL,
        name ${t.key} NOT NULL,
        scheme ${t.text} NOT NULL,
        secrets ${t.bytes} NOT NULL,
        tolerance_seconds ${t.integer} NOT NULL,
        created_at ${t.timestamp} NOT NULL,
        updated_at ${t.timestamp} NOT NULL,
        PRIMARY KEY (tenant_id, name)
      ) ${t.clustered}`,
      `CREATE TABLE webhook_rule (
        tenant_id ${t.key} NOT NULL,
        id ${t.id} NOT NULL,
        provider ${t.text} NOT NULL,
        provider_key ${t.key} NOT NULL,
        event_type ${t.text} NOT NULL,
        action ${t.text} NOT NULL,
        is_active ${t.boolean} NOT NULL,
        created_at ${t.timestamp} NOT NULL,
        PRIMARY KEY (tenant_id, id)
      ) ${t.clustered}`,
      'CREATE INDEX webhook_rule_provider ON webhook_rule (tenant_id, provider_key, id)',
    ],
  },
  {
    name: 'incoming-0002',
    database: 'tenant',
    statements: (t, dialect) => {
      // On PostgreSQL only the primary key begins with the tenant, so that its planner uses no other index to find a
      // receipt by id.
      const columns = (column: string) =>
        dialect === 'sqlite' ? `tenant_id, ${column}` : `${column}, tenant_id`
      return [
        `CREATE TABLE webhook_receipt (
          tenant_id ${t.key} NOT NULL,
          id ${t.id} NOT NULL,
          provider ${t.key} NOT NULL,
          event_key ${t.key} NOT NULL,
          event_id ${t.text},
          event_type ${t.key},
          status ${t.text} NOT NULL,
          hops ${t.integer} NOT NULL,
          scheme ${t.text} NOT NULL,
          secret_place ${t.integer} NOT NULL,
          headers ${t.text} NOT NULL,
          body ${t.bytes} NOT NULL,
          received_at ${t.timestamp} NOT NULL,
          PRIMARY KEY (tenant_id, id),
          CONSTRAINT webhook_receipt_once UNIQUE
            (${dialect === 'sqlite' ? 'tenant_id, provider, event_key' : 'event_key, tenant_id, provider'})
        ) ${t.clustered}`,
        `CREATE INDEX webhook_receipt_status ON webhook_receipt (${columns('status')}, id)`,
        `CREATE INDEX webhook_receipt_provider ON webhook_receipt (${columns('provider')}, id)`,
        `CREATE INDEX webhook_receipt_event_type ON webhook_receipt (${columns('event_type')}, id)
          WHERE event_type IS NOT NULL`,
        ...(dialect === 'sqlite' ? recordStatistics : []),
      ]
    },
  },
  {
    name: 'incoming-0003',
    database: 'tenant',
    statements: (t, dialect) => {
      const isSqlite = dialect === 'sqlite'
      return [
        `CREATE TABLE webhook_run (
          tenant_id ${t.key} NOT NULL,
          receipt_id ${t.id} NOT NULL,
          id ${t.id} NOT NULL,
          rule_id ${t.id} NOT NULL,
          action ${t.text} NOT NULL,
          status ${t.text} NOT NULL,
          attempts ${t.integer} NOT NULL,
          error ${t.text},
          next_at ${t.timestamp},
          created_at ${t.timestamp} NOT NULL,
          finished_at ${t.timestamp},
          origin ${t.key},
          PRIMARY KEY (tenant_id, receipt_id, id)
        ) ${t.clustered}`,
        // The tenant column must have the form of `pendingIndexKey`, so that queries of due runs use the index.
        `CREATE INDEX webhook_run_waiting ON webhook_run (tenant_id${isSqlite ? '' : ' COLLATE "POSIX"'}, next_at, id)
          WHERE next_at IS NOT NULL`,
        `CREATE INDEX webhook_run_origin ON webhook_run (${isSqlite ? 'tenant_id, origin' : 'origin, tenant_id'})
          WHERE origin IS NOT NULL`,
      ]
    },
  },
  {
    name: 'incoming-0004',
    database: 'tenant',
    // Rules and runs that exist already get no owner: they belong to the administrators of the tenant.
    statements: (t) => [
      `ALTER TABLE webhook_rule ADD COLUMN owner ${t.text}`,
      `ALTER TABLE webhook_run ADD COLUMN owner ${t.text}`,
    ],
  },
]
