import type { Migration } from '../../database/migration.ts'

export const preferenceMigrations: Migration[] = [
  {
    name: 'preference-0001',
    database: 'catalogue',
    oldestVersion: '0.3.0',
    statements: (t) => [
      `CREATE TABLE preference (
        account_id ${t.id} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        name ${t.key} NOT NULL,
        tenant_id ${t.key} NOT NULL REFERENCES tenant (id),
        value ${t.text} NOT NULL,
        version ${t.integer} NOT NULL,
        updated_at ${t.timestamp} NOT NULL,
        PRIMARY KEY (account_id, name)
      ) ${t.clustered}`,
      'CREATE INDEX preference_tenant ON preference (tenant_id)',
    ],
  },
]
