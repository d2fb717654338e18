import type { Migration } from '../../database/migration.ts'

export const secondFactorMigrations: Migration[] = [
  {
    name: 'second-factor-0001',
    database: 'catalogue',
    statements: (t) => [
      `CREATE TABLE totp (
        account_id ${t.id} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        state ${t.key} NOT NULL,
        tenant_id ${t.key} NOT NULL REFERENCES tenant (id),
        secret ${t.bytes} NOT NULL,
        last_step ${t.integer} NOT NULL,
        created_at ${t.timestamp} NOT NULL,
        PRIMARY KEY (account_id, state)
      )`,
      'CREATE INDEX totp_tenant ON totp (tenant_id)',
      `CREATE TABLE recovery_code (
        account_id ${t.id} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        hash ${t.key} NOT NULL,
        tenant_id ${t.key} NOT NULL REFERENCES tenant (id),
        created_at ${t.timestamp} NOT NULL,
        PRIMARY KEY (account_id, hash)
      )`,
      'CREATE INDEX recovery_code_tenant ON recovery_code (tenant_id)',
      `CREATE TABLE wrong_code (
        account_id ${t.id} PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
        tenant_id ${t.key} NOT NULL REFERENCES tenant (id),
        count ${t.integer} NOT NULL,
        last_at ${t.timestamp} NOT NULL
      )`,
      'CREATE INDEX wrong_code_tenant ON wrong_code (tenant_id)',
    ],
  },
  {
    name: 'second-factor-0002',
    database: 'catalogue',
    statements: (t) => [
      `CREATE TABLE factor_requirement (
        tenant_id ${t.key} PRIMARY KEY REFERENCES tenant (id),
        copied_at ${t.timestamp} NOT NULL
      )`,
    ],
  },
]
