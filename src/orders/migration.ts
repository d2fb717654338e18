import type { Migration } from '../database/migration.ts'
import { sqliteStatistics } from '../database/sqlite/statistics.ts'

/**
 * Statistics of a large table: for each index, the rows of the table, then the rows with the same first column, the
 * same first two, and so on. Without them, SQLite assumes that a tenant has few rows, and uses no index.
 */
const recordStatistics = sqliteStatistics('sales_order', {
  sales_order: '1000000 100000 1',
  sales_order_customer: '1000000 100000 100 1',
  sales_order_status: '1000000 100000 10000 1',
  sales_order_created_at: '1000000 100000 1 1',
  sqlite_autoindex_sales_order_2: '1000000 100000 1',
})

export const orderMigrations: Migration[] = [
  {
    name: 'order-0001',
    database: 'tenant',
    statements: (t, dialect) => [
      `CREATE TABLE sales_order (
        tenant_id ${t.key} NOT NULL,
        id ${t.id} NOT NULL,
        number ${t.integer} NOT NULL,
        customer_id ${t.key} NOT NULL,
        status ${t.key} NOT NULL CHECK (status IN ('PENDING', 'PAID', 'CANCELLED')),
        currency ${t.text},
        total ${t.price} NOT NULL CHECK (total >= 0),
        created_at ${t.timestamp} NOT NULL,
        updated_at ${t.timestamp} NOT NULL,
        version ${t.integer} NOT NULL,
        PRIMARY KEY (tenant_id, id),
        UNIQUE (tenant_id, number)
      ) ${t.clustered}`,
      'CREATE INDEX sales_order_customer ON sales_order (tenant_id, customer_id, id)',
      'CREATE INDEX sales_order_status ON sales_order (tenant_id, status, id)',
      'CREATE INDEX sales_order_created_at ON sales_order (tenant_id, created_at, id)',
      // No foreign key to the product, which may be deleted: the order keeps its copy.
      `CREATE TABLE sales_order_item (
        tenant_id ${t.key} NOT NULL,
        order_id ${t.id} NOT NULL,
        position ${t.integer} NOT NULL,
        product_id ${t.id} NOT NULL,
        name ${t.text} NOT NULL,
        quantity ${t.integer} NOT NULL CHECK (quantity > 0),
        unit_price ${t.price} NOT NULL CHECK (unit_price >= 0),
        line_total ${t.price} NOT NULL CHECK (line_total >= 0),
        PRIMARY KEY (tenant_id, order_id, position),
        FOREIGN KEY (tenant_id, order_id) REFERENCES sales_order (tenant_id, id)
      ) ${t.clustered}`,
      `CREATE TABLE order_count (
        tenant_id ${t.key} PRIMARY KEY,
        last ${t.integer} NOT NULL
      )`,
      ...(dialect === 'sqlite' ? recordStatistics : []),
    ],
  },
]
