import type { Migration } from '../database/migration.ts'

export const productMigrations: Migration[] = [
  {
    name: 'product-0001',
    database: 'tenant',
    statements: (t) => [
      `CREATE TABLE product (
        tenant_id ${t.key} NOT NULL,
        id ${t.id} NOT NULL,
        name ${t.key} NOT NULL,
        search_name ${t.text} NOT NULL,
        description ${t.text},
        price ${t.price} NOT NULL CHECK (price >= 0),
        is_active ${t.boolean} NOT NULL,
        category_id ${t.id},
        created_at ${t.timestamp} NOT NULL,
        updated_at ${t.timestamp} NOT NULL,
        version ${t.integer} NOT NULL,
        PRIMARY KEY (tenant_id, id),
        FOREIGN KEY (tenant_id, category_id) REFERENCES category (tenant_id, id)
      ) ${t.clustered}`,
      'CREATE INDEX product_category ON product (tenant_id, category_id) WHERE category_id IS NOT NULL',
    ],
  },
]
