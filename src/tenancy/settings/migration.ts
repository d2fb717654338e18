import type { Migration } from '../../database/migration.ts'

export const tenantSettingMigrations: Migration[] = [
  {
    name: 'tenantSetting-0001',
    database: 'tenant',
    statements: (t) => [
      `CREATE TABLE tenant_setting (
        tenant_id ${t.key} PRIMARY KEY,
        content ${t.text} NOT NULL,
        version ${t.integer} NOT NULL,
        updated_at ${t.timestamp} NOT NULL
      )`,
    ],
  },
]
