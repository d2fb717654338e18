import type { Migration } from '../database/migration.ts'

export const eventMigrations: Migration[] = [
  {
    name: 'event-0001',
    database: 'tenant',
    statements: (t) => [
      `CREATE TABLE event (
        tenant_id ${t.key} NOT NULL,
        id ${t.key} NOT NULL,
        type ${t.text} NOT NULL,
        data ${t.text} NOT NULL,
        created_at ${t.timestamp} NOT NULL,
        PRIMARY KEY (tenant_id, id)
      ) ${t.clustered}`,
    ],
  },
]
