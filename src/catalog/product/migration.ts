import type { Migration } from '../../database/migration.ts'
import { sqliteStatistics } from '../../database/sqlite/statistics.ts'

/** The most frequent sort keys of products. Each index slows down every insert. */
const sortKeys = ['created_at', 'price', 'name']

const recordStatistics = sqliteStatistics('product', {
  product: '1000000 100000 1',
  product_category: '1000000 100000 100',
  product_created_at: '1000000 100000 1 1',
  product_price: '1000000 100000 100 1',
  product_name: '1000000 100000 1 1',
})

/** Without the index, a search reads all names: the extension may be missing, forbidden, or in another schema. */
const searchIndex = `DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX product_search ON product USING gin (search_name gin_trgm_ops);
EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_file OR undefined_object OR unique_violation THEN
  RAISE NOTICE 'product_search was not created: %', SQLERRM;
END $$`

export const productMigrations: Migration[] = [
  {
    name: 'product-0001',
    database: 'tenant',
    statements: (t, dialect) => [
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
      ...sortKeys.map((column) => `CREATE INDEX product_${column} ON product (tenant_id, ${column}, id)`),
      ...(dialect === 'sqlite' ? recordStatistics : [searchIndex]),
    ],
  },
]
