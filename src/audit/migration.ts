import type { Migration } from '../database/migration.ts'

export const auditMigrations: Migration[] = [
  {
    name: 'audit-0001',
    database: 'catalogue',
    statements: (t) => [
      `CREATE TABLE audit (
        id ${t.id} PRIMARY KEY,
        tenant_id ${t.key} NOT NULL,
        actor_id ${t.id},
        actor_name ${t.text},
        action ${t.key} NOT NULL,
        subject_type ${t.text} NOT NULL,
        subject_id ${t.text},
        detail ${t.text} NOT NULL,
        client_address ${t.text},
        request_id ${t.text} NOT NULL,
        created_at ${t.timestamp} NOT NULL
      )`,
      'CREATE INDEX audit_tenant ON audit (tenant_id, id)',
    ],
  },
  {
    name: 'audit-0002',
    database: 'tenant',
    statements: (t) => [
      `CREATE TABLE tenant_audit (
        tenant_id ${t.key} NOT NULL,
        id ${t.id} NOT NULL,
        actor_id ${t.id},
        actor_name ${t.text},
        action ${t.key} NOT NULL,
        subject_type ${t.text} NOT NULL,
        subject_id ${t.text},
        detail ${t.text} NOT NULL,
        client_address ${t.text},
        request_id ${t.text} NOT NULL,
        created_at ${t.timestamp} NOT NULL,
        PRIMARY KEY (tenant_id, id)
      ) ${t.clustered}`,
    ],
  },
]
