import type { Migration } from '../../database/migration.ts'

export const operationMigrations: Migration[] = [
  {
    name: 'operation-0001',
    database: 'catalogue',
    // The tenant is in `subject_id`: erasing a tenant removes what has its `tenant_id`.
    statements: (t) => [
      `CREATE TABLE operation (
        id ${t.id} PRIMARY KEY,
        kind ${t.text} NOT NULL,
        subject_id ${t.text},
        status ${t.text} NOT NULL,
        phase ${t.text},
        host ${t.text},
        result ${t.text},
        error ${t.text},
        requested_by ${t.text} NOT NULL,
        job_id ${t.id} NOT NULL,
        created_at ${t.timestamp} NOT NULL,
        started_at ${t.timestamp},
        finished_at ${t.timestamp}
      )`,
      'CREATE INDEX operation_unfinished ON operation (id) WHERE finished_at IS NULL',
    ],
  },
  {
    name: 'operation-0002',
    oldestVersion: '0.2.0',
    database: 'catalogue',
    statements: (t) => [
      `ALTER TABLE operation ADD COLUMN copied_rows ${t.integer}`,
      `ALTER TABLE operation ADD COLUMN total_rows ${t.integer}`,
    ],
  },
]
