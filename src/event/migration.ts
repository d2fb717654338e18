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
  {
    name: 'event-0002',
    database: 'tenant',
    statements: (t) => [
      `ALTER TABLE event ADD COLUMN dispatched_at ${t.timestamp}`,
      // Nobody could subscribe before this.
      'UPDATE event SET dispatched_at = created_at',
      'CREATE INDEX event_undispatched ON event (tenant_id, id) WHERE dispatched_at IS NULL',
    ],
  },
  {
    name: 'event-0003',
    database: 'tenant',
    statements: (t) => [`ALTER TABLE event ADD COLUMN hops ${t.integer} NOT NULL DEFAULT 0`],
  },
]
