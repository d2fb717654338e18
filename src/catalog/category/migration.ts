import type { Migration } from '../../database/migration.ts'

export const categoryMigrations: Migration[] = [
  {
    name: 'category-0001',
    database: 'tenant',
    statements: (t) => [
      `CREATE TABLE category (
        tenant_id ${t.key} NOT NULL,
        id ${t.id} NOT NULL,
        name ${t.key} NOT NULL,
        name_key ${t.key} NOT NULL,
        created_at ${t.timestamp} NOT NULL,
        updated_at ${t.timestamp} NOT NULL,
        version ${t.integer} NOT NULL,
        PRIMARY KEY (tenant_id, id)
      ) ${t.clustered}`,
      'CREATE UNIQUE INDEX category_name_key ON category (tenant_id, name_key)',
    ],
  },
]
