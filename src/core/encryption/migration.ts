import type { Migration } from '../../database/migration.ts'

export const sealingMigrations: Migration[] = [
  {
    name: 'sealing-0001',
    database: 'catalogue',
    statements: (t) => [
      `CREATE TABLE digest_key (
        purpose ${t.key} PRIMARY KEY,
        key ${t.bytes} NOT NULL,
        created_at ${t.timestamp} NOT NULL
      )`,
      `CREATE TABLE sealed_column (
        name ${t.key} PRIMARY KEY,
        place ${t.text} NOT NULL
      )`,
    ],
  },
]
