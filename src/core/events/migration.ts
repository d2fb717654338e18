import type { Migration } from '../../database/migration.ts'

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
      // No subscription can be older than this migration.
      'UPDATE event SET dispatched_at = created_at',
      'CREATE INDEX event_undispatched ON event (tenant_id, id) WHERE dispatched_at IS NULL',
    ],
  },
  {
    name: 'event-0003',
    database: 'tenant',
    statements: (t) => [`ALTER TABLE event ADD COLUMN hops ${t.integer} NOT NULL DEFAULT 0`],
  },
  {
    name: 'event-0004',
    database: 'tenant',
    statements: (t, dialect) => [
      `ALTER TABLE event ADD COLUMN position ${t.integer}`,
      ...(dialect === 'sqlite' ? [positionTrigger] : [positionDefault]),
      'CREATE INDEX event_position ON event (tenant_id, position)',
    ],
  },
  {
    name: 'event-0005',
    database: 'tenant',
    // A plan that PostgreSQL made for a few events is used for a million: only the primary key may serve look-ups by
    // key, and only the partial index undispatched events (see docs/decisions).
    statements: (_, dialect) =>
      dialect === 'sqlite'
        ? []
        : [
            'DROP INDEX event_position',
            'CREATE INDEX event_position ON event (tenant_id, position) WHERE position IS NOT NULL',
            'DROP INDEX event_undispatched',
            `CREATE INDEX event_undispatched ON event (tenant_id COLLATE "POSIX", id) WHERE dispatched_at IS NULL`,
          ],
  },
  {
    name: 'event-0006',
    database: 'tenant',
    statements: (t) => [`ALTER TABLE event ADD COLUMN origin ${t.text}`],
  },
  {
    name: 'event-0007',
    database: 'tenant',
    statements: (t) => [`ALTER TABLE event ADD COLUMN state ${t.text}`],
  },
]

/** Positions grow with each commit: there is one writer. The clock keeps them growing after old events are removed. */
const positionTrigger = `CREATE TRIGGER event_position AFTER INSERT ON event WHEN new.position IS NULL BEGIN
  UPDATE event SET position = max(
    coalesce((SELECT max(position) FROM event WHERE tenant_id = new.tenant_id), 0) + 1,
    cast(unixepoch('subsec') * 1000000 AS INTEGER)
  ) WHERE tenant_id = new.tenant_id AND id = new.id;
END`

/** The number of the writing transaction: a snapshot shows which transactions had committed. */
const positionDefault =
  'ALTER TABLE event ALTER COLUMN position SET DEFAULT cast(cast(pg_current_xact_id() AS text) AS bigint)'
