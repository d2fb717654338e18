import type { Migration } from '../../database/migration.ts'

export const usageMigrations: Migration[] = [
  {
    name: 'usage-0001',
    oldestVersion: '0.2.0',
    database: 'catalogue',
    statements: (t) => [
      `CREATE TABLE tenant_usage (
        tenant_key ${t.key} NOT NULL,
        period ${t.key} NOT NULL,
        requests ${t.integer} NOT NULL,
        errors ${t.integer} NOT NULL,
        sign_ins ${t.integer} NOT NULL,
        PRIMARY KEY (tenant_key, period)
      ) ${t.clustered}`,
      'CREATE INDEX tenant_usage_period ON tenant_usage (period)',
    ],
  },
]
