import type { Migration } from '../../database/migration.ts'

export const brandMigrations: Migration[] = [
  {
    name: 'brand-0001',
    database: 'catalogue',
    oldestVersion: '0.3.0',
    statements: (t) => [
      `CREATE TABLE tenant_logo (
        tenant_id ${t.key} NOT NULL REFERENCES tenant (id),
        theme ${t.key} NOT NULL,
        type ${t.text} NOT NULL,
        width ${t.integer},
        height ${t.integer},
        sha256 ${t.text} NOT NULL,
        content ${t.bytes} NOT NULL,
        updated_at ${t.timestamp} NOT NULL,
        PRIMARY KEY (tenant_id, theme)
      )`,
    ],
  },
]
