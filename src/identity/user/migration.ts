import type { Migration } from '../../database/migration.ts'

export const userMigrations: Migration[] = [
  {
    name: 'user-0001',
    database: 'catalogue',
    statements: (t) => [
      `CREATE TABLE account (
        id ${t.id} PRIMARY KEY,
        tenant_id ${t.key} NOT NULL REFERENCES tenant (id),
        user_name ${t.text} NOT NULL,
        user_name_key ${t.key} NOT NULL,
        email ${t.text} NOT NULL,
        email_key ${t.key} NOT NULL,
        password_hash ${t.text} NOT NULL,
        first_name ${t.text} NOT NULL,
        last_name ${t.text} NOT NULL,
        phone_number ${t.text},
        roles ${t.text} NOT NULL,
        is_active ${t.boolean} NOT NULL,
        created_at ${t.timestamp} NOT NULL,
        version ${t.integer} NOT NULL
      )`,
      'CREATE UNIQUE INDEX account_user_name_key ON account (tenant_id, user_name_key)',
      'CREATE UNIQUE INDEX account_email_key ON account (tenant_id, email_key)',
      'CREATE INDEX account_tenant ON account (tenant_id, id)',
    ],
  },
  {
    name: 'user-0002',
    database: 'catalogue',
    statements: (t) => [
      `CREATE TABLE sign_in_name (
        tenant_id ${t.key} NOT NULL,
        name_key ${t.key} NOT NULL,
        account_id ${t.id} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        PRIMARY KEY (tenant_id, name_key)
      ) ${t.clustered}`,
      'CREATE INDEX sign_in_name_account ON sign_in_name (account_id)',
      'INSERT INTO sign_in_name (tenant_id, name_key, account_id) SELECT tenant_id, email_key, id FROM account',
      // A name that equals the email of another user identifies that user. Its owner signs in with the email.
      `INSERT INTO sign_in_name (tenant_id, name_key, account_id)
        SELECT tenant_id, user_name_key, id FROM account WHERE true ON CONFLICT DO NOTHING`,
    ],
  },
  {
    name: 'user-0003',
    database: 'catalogue',
    statements: (t) => [`ALTER TABLE account ADD COLUMN email_verified_at ${t.timestamp}`],
  },
  {
    name: 'user-0004',
    database: 'catalogue',
    oldestVersion: '0.3.0',
    statements: (t) => [`ALTER TABLE account ADD COLUMN attributes ${t.text}`],
  },
]
