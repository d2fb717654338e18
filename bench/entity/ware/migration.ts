import { type Migration, sqliteStatistics } from '../../../src/index.ts'

const sortKeys = ['created_at', 'price', 'name']

const recordStatistics = sqliteStatistics('ware', {
  ware: '1000000 100000 1',
  ware_category: '1000000 100000 100',
  ware_created_at: '1000000 100000 1 1',
  ware_price: '1000000 100000 100 1',
  ware_name: '1000000 100000 1 1',
})

const searchIndex = `DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX ware_search ON ware USING gin (search_name gin_trgm_ops);
EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_file OR undefined_object OR unique_violation THEN
  RAISE NOTICE 'ware_search was not created: %', SQLERRM;
END $$`

export const wareMigrations: Migration[] = [
  {
    name: 'ware-0001',
    database: 'tenant',
    statements: (t, dialect) => [
      `CREATE TABLE ware (
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
      'CREATE INDEX ware_category ON ware (tenant_id, category_id) WHERE category_id IS NOT NULL',
      ...sortKeys.map((column) => `CREATE INDEX ware_${column} ON ware (tenant_id, ${column}, id)`),
      ...(dialect === 'sqlite' ? recordStatistics : [searchIndex]),
    ],
  },
]
