import type { Migration } from '../../database/migration.ts'

export const queueMigrations: Migration[] = [
  {
    name: 'queue-0001',
    database: 'catalogue',
    statements: (t) => [
      `CREATE TABLE pending_tenant (
        tenant_id ${t.key} PRIMARY KEY,
        touched_at ${t.timestamp} NOT NULL
      )`,
    ],
  },
]
