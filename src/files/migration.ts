import type { Migration } from '../database/migration.ts'

/**
 * `stray_file` names contents that the store may have without a row in `file`: those of uploads that are not finished,
 * and of deleted files. `file_usage` has the bytes of all files of the tenant.
 */
export const fileMigrations: Migration[] = [
  {
    name: 'file-0001',
    database: 'tenant',
    statements: (t) => [
      `CREATE TABLE file (
        tenant_id ${t.key} NOT NULL,
        id ${t.id} NOT NULL,
        name ${t.key} NOT NULL,
        type ${t.key} NOT NULL,
        size ${t.integer} NOT NULL,
        sha256 ${t.key} NOT NULL,
        created_at ${t.timestamp} NOT NULL,
        unused_since ${t.timestamp},
        PRIMARY KEY (tenant_id, id)
      ) ${t.clustered}`,
      'CREATE INDEX file_unused_since ON file (tenant_id, unused_since) WHERE unused_since IS NOT NULL',
      `CREATE TABLE stray_file (
        tenant_id ${t.key} NOT NULL,
        id ${t.id} NOT NULL,
        since ${t.timestamp} NOT NULL,
        PRIMARY KEY (tenant_id, id)
      ) ${t.clustered}`,
      `CREATE TABLE file_usage (
        tenant_id ${t.key} NOT NULL,
        bytes ${t.integer} NOT NULL,
        PRIMARY KEY (tenant_id)
      ) ${t.clustered}`,
    ],
  },
  {
    name: 'file-0002',
    database: 'tenant',
    oldestVersion: '0.2.0',
    // The column is NULL for files of earlier versions.
    statements: (t) => [`ALTER TABLE file ADD COLUMN uploaded_by ${t.id}`],
  },
]
