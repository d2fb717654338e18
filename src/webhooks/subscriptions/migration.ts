import type { Migration } from '../../database/migration.ts'

export const subscriptionMigrations: Migration[] = [
  {
    name: 'subscription-0001',
    database: 'tenant',
    statements: (t) => [
      `CREATE TABLE subscription (
        tenant_id ${t.key} NOT NULL,
        id ${t.id} NOT NULL,
        url ${t.text} NOT NULL,
        events ${t.text} NOT NULL,
        access ${t.text} NOT NULL,
        secrets ${t.bytes} NOT NULL,
        headers ${t.bytes} NOT NULL,
        retry_seconds ${t.text},
        is_active ${t.boolean} NOT NULL,
        created_at ${t.timestamp} NOT NULL,
        updated_at ${t.timestamp} NOT NULL,
        version ${t.integer} NOT NULL,
        success_count ${t.integer} NOT NULL,
        failure_count ${t.integer} NOT NULL,
        last_success_at ${t.timestamp},
        last_failure_at ${t.timestamp},
        failing_since ${t.timestamp},
        failing_days ${t.integer} NOT NULL,
        warned_at ${t.timestamp},
        deactivated_at ${t.timestamp},
        deactivation_reason ${t.text},
        PRIMARY KEY (tenant_id, id)
      ) ${t.clustered}`,
    ],
  },
  {
    name: 'subscription-0002',
    database: 'tenant',
    // A small index: only failing and deactivated subscriptions, which the operator of the service sees.
    statements: () => [
      `CREATE INDEX subscription_troubled ON subscription (tenant_id, deactivated_at)
        WHERE coalesce(deactivated_at, failing_since) IS NOT NULL`,
    ],
  },
  {
    name: 'subscription-0003',
    database: 'tenant',
    statements: (t) => [`ALTER TABLE subscription ADD COLUMN customer ${t.text}`],
  },
  {
    name: 'subscription-0004',
    database: 'tenant',
    // Subscriptions that exist already get no owner: they belong to the administrators of the tenant.
    statements: (t) => [`ALTER TABLE subscription ADD COLUMN owner ${t.text}`],
  },
]
