import type { Migration } from '../../src/index.ts'

export const supplierMigrations: Migration[] = [
  {
    name: 'supplier-0001',
    database: 'tenant',
    statements: (t) => [
      `CREATE TABLE supplier (
        tenant_id ${t.key} NOT NULL,
        id ${t.id} NOT NULL,
        name ${t.text} NOT NULL,
        kind ${t.text} NOT NULL,
        created_at ${t.timestamp} NOT NULL,
        PRIMARY KEY (tenant_id, id)
      ) ${t.clustered}`,
    ],
  },
]
