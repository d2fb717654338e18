import type { Migration } from '../../database/migration.ts'

export const keyMigrations: Migration[] = [
  {
    name: 'key-0001',
    database: 'catalogue',
    statements: (t) => [
      `CREATE TABLE signing_key (
        id ${t.key} PRIMARY KEY,
        algorithm ${t.text} NOT NULL,
        public_key ${t.text} NOT NULL,
        private_key ${t.bytes} NOT NULL,
        created_at ${t.timestamp} NOT NULL,
        retired_at ${t.timestamp}
      )`,
    ],
  },
]
