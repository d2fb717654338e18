import type { Migration } from '../../database/migration.ts'

export const oneTimeTokenMigrations: Migration[] = [
  {
    name: 'one-time-token-0001',
    database: 'catalogue',
    statements: (t) => [
      `CREATE TABLE one_time_token (
        hash ${t.key} PRIMARY KEY,
        purpose ${t.key} NOT NULL,
        tenant_id ${t.key} NOT NULL,
        account_id ${t.id},
        data ${t.text} NOT NULL,
        failures ${t.integer} NOT NULL,
        created_at ${t.timestamp} NOT NULL,
        expires_at ${t.timestamp} NOT NULL
      )`,
      'CREATE INDEX one_time_token_account ON one_time_token (account_id, purpose)',
      'CREATE INDEX one_time_token_tenant ON one_time_token (tenant_id, purpose)',
      'CREATE INDEX one_time_token_expiry ON one_time_token (expires_at)',
    ],
  },
]
