import type { Migration } from '../../database/migration.ts'

export const passkeyMigrations: Migration[] = [
  {
    name: 'passkey-0001',
    database: 'catalogue',
    statements: (t) => [
      `CREATE TABLE passkey (
        id ${t.id} PRIMARY KEY,
        tenant_id ${t.key} NOT NULL REFERENCES tenant (id),
        account_id ${t.id} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        credential_id ${t.key} NOT NULL,
        public_key ${t.text} NOT NULL,
        counter ${t.integer} NOT NULL,
        transports ${t.text} NOT NULL,
        name ${t.text} NOT NULL,
        created_at ${t.timestamp} NOT NULL,
        last_used_at ${t.timestamp},
        UNIQUE (tenant_id, credential_id)
      )`,
      'CREATE INDEX passkey_account ON passkey (account_id)',
    ],
  },
]
