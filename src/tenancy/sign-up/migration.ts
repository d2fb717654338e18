import type { Migration } from '../../database/migration.ts'

export const signUpMigrations: Migration[] = [
  {
    name: 'sign-up-0001',
    database: 'catalogue',
    statements: (t) => [
      `CREATE TABLE sign_up (
        id ${t.id} PRIMARY KEY,
        subdomain ${t.key},
        tenant_name ${t.text} NOT NULL,
        user_name ${t.text} NOT NULL,
        email ${t.text} NOT NULL,
        password_hash ${t.text} NOT NULL,
        first_name ${t.text} NOT NULL,
        last_name ${t.text} NOT NULL,
        created_at ${t.timestamp} NOT NULL,
        verified_at ${t.timestamp},
        expires_at ${t.timestamp} NOT NULL
      )`,
      'CREATE INDEX sign_up_expiry ON sign_up (expires_at)',
    ],
  },
]
