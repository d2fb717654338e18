import type { Migration } from '../database/migration.ts'
import { sqliteStatistics } from '../database/sqlite/statistics.ts'

/** Figures of a long list of jobs: SQLite would otherwise plan queries as if a tenant had ten rows. */
const recordStatistics = sqliteStatistics('queued_job', {
  queued_job: '1000000 10000 1',
  queued_job_pending_key: '10000 100 1',
  queued_job_waiting: '10000 100 2 1',
  queued_job_due: '10000 2 1 1 1',
  queued_job_dead: '1000 10',
  queued_job_status: '1000000 10000 2000 1',
  queued_job_name: '1000000 10000 1000 1',
})

export const jobMigrations: Migration[] = [
  {
    name: 'job-0001',
    database: 'tenant',
    statements: (t, dialect) => {
      // On PostgreSQL only the primary key begins with the tenant, so that the planner uses no other index to find an id.
      const columns = (column: string) =>
        dialect === 'sqlite' ? `tenant_id, ${column}` : `${column}, tenant_id`
      // Queries of due jobs compare the tenant in this form (`pendingIndexKey`). An index in it serves no other queries,
      // and these queries use no other index.
      const pendingTenant = dialect === 'sqlite' ? 'tenant_id' : 'tenant_id COLLATE "POSIX"'
      return [
        `CREATE TABLE queued_job (
          tenant_id ${t.key} NOT NULL,
          id ${t.id} NOT NULL,
          name ${t.key} NOT NULL,
          key ${t.text},
          pending_key ${t.key},
          data ${t.text} NOT NULL,
          status ${t.key} NOT NULL,
          attempts ${t.integer} NOT NULL,
          attempts_before ${t.integer} NOT NULL,
          hops ${t.integer} NOT NULL,
          origin ${t.key},
          next_at ${t.timestamp},
          lease ${t.text},
          created_at ${t.timestamp} NOT NULL,
          started_at ${t.timestamp},
          finished_at ${t.timestamp},
          error ${t.text},
          PRIMARY KEY (tenant_id, id)
        ) ${t.clustered}`,
        `CREATE UNIQUE INDEX queued_job_pending_key ON queued_job (${columns('pending_key')})
          WHERE pending_key IS NOT NULL`,
        `CREATE INDEX queued_job_waiting ON queued_job (${pendingTenant}, next_at, id) WHERE next_at IS NOT NULL`,
        // With the status, counting waiting jobs reads only the index.
        `CREATE INDEX queued_job_due ON queued_job (next_at, tenant_id, id, status) WHERE next_at IS NOT NULL`,
        "CREATE INDEX queued_job_dead ON queued_job (tenant_id) WHERE status = 'DEAD'",
        `CREATE INDEX queued_job_status ON queued_job (${columns('status')}, id)`,
        `CREATE INDEX queued_job_name ON queued_job (${columns('name')}, id)`,
        ...(dialect === 'sqlite' ? recordStatistics : []),
      ]
    },
  },
  {
    name: 'job-0002',
    database: 'catalogue',
    statements: (t) => [
      `CREATE TABLE job_schedule (
        name ${t.key} PRIMARY KEY,
        occurrence_at ${t.timestamp} NOT NULL,
        begun_at ${t.timestamp} NOT NULL,
        position ${t.key}
      )`,
      `CREATE TABLE owed_job (
        tenant_id ${t.key} NOT NULL,
        schedule ${t.key} NOT NULL,
        occurrence_at ${t.timestamp} NOT NULL,
        PRIMARY KEY (tenant_id, schedule)
      ) ${t.clustered}`,
    ],
  },
  {
    name: 'job-0003',
    database: 'tenant',
    statements: (t) => [`ALTER TABLE queued_job ADD COLUMN secret ${t.bytes}`],
  },
  {
    name: 'job-0004',
    database: 'catalogue',
    oldestVersion: '0.2.0',
    // Version 0.2.0 ignores the column: it is empty in the rows of that version, whose expression is unknown.
    statements: (t) => [`ALTER TABLE job_schedule ADD COLUMN expression ${t.text}`],
  },
  {
    name: 'job-0005',
    database: 'tenant',
    // An older version would run a job of a caller with the rights of the tenant.
    oldestVersion: '0.3.0',
    statements: (t) => [`ALTER TABLE queued_job ADD COLUMN caller ${t.text}`],
  },
]
