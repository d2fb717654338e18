import type { Migration } from '../../database/migration.ts'

export const encryptionMigrations: Migration[] = [
  {
    name: 'encryption-0001',
    database: 'catalogue',
    statements: (t) => [
      `CREATE TABLE digest_key (
        purpose ${t.key} PRIMARY KEY,
        key ${t.bytes} NOT NULL,
        created_at ${t.timestamp} NOT NULL
      )`,
      `CREATE TABLE encrypted_column (
        name ${t.key} PRIMARY KEY,
        location ${t.text} NOT NULL
      )`,
    ],
  },
]
