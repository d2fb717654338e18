import type { Migration } from '../../database/migration.ts'

export const idempotencyMigrations: Migration[] = [
  {
    name: 'idempotency-0001',
    database: 'tenant',
    statements: (t) => [
      `CREATE TABLE idempotency (
        tenant_id ${t.key} NOT NULL,
        key ${t.key} NOT NULL,
        fingerprint ${t.text} NOT NULL,
        outcome ${t.bytes} NOT NULL,
        created_at ${t.timestamp} NOT NULL,
        PRIMARY KEY (tenant_id, key)
      ) ${t.clustered}`,
      'CREATE INDEX idempotency_age ON idempotency (tenant_id, created_at)',
    ],
  },
  {
    name: 'idempotency-0002',
    database: 'tenant',
    statements: (t) => [
      // Digest keys of other installations, from which the tenant was imported with its records.
      `CREATE TABLE idempotency_former_key (
        tenant_id ${t.key} NOT NULL,
        id ${t.id} NOT NULL,
        key ${t.bytes} NOT NULL,
        created_at ${t.timestamp} NOT NULL,
        PRIMARY KEY (tenant_id, id)
      ) ${t.clustered}`,
    ],
  },
  {
    name: 'idempotency-0003',
    database: 'tenant',
    // The index serves conditions on the age, and never a look-up by key.
    statements: (_, dialect) =>
      dialect === 'sqlite'
        ? []
        : [
            'DROP INDEX idempotency_age',
            'CREATE INDEX idempotency_age ON idempotency (tenant_id, created_at) WHERE created_at IS NOT NULL',
          ],
  },
]
