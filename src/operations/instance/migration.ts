import type { Migration } from '../../database/migration.ts'

export const instanceMigrations: Migration[] = [
  {
    name: 'instance-0001',
    database: 'catalogue',
    statements: (t) => [
      `CREATE TABLE instance (
        id ${t.id} PRIMARY KEY,
        host ${t.text} NOT NULL,
        process_id ${t.integer} NOT NULL,
        version ${t.text} NOT NULL,
        node_version ${t.text} NOT NULL,
        started_at ${t.timestamp} NOT NULL,
        seen_at ${t.timestamp} NOT NULL,
        clock_difference_ms ${t.integer}
      )`,
    ],
  },
  {
    name: 'instance-0002',
    oldestVersion: '0.2.0',
    database: 'catalogue',
    statements: (t) => [`ALTER TABLE instance ADD COLUMN file_store ${t.text}`],
  },
]
