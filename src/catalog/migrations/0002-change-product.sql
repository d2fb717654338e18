-- sqlite

DROP INDEX "product_category_id";

CREATE INDEX "product_category_id_id" ON "product" ("tenant_id", "category_id", "id") WHERE "category_id" IS NOT NULL;

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'product';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('product', 'product', '1000000 100000 1'), ('product', 'product_category_id_id', '1000000 100000 100 1'), ('product', 'product_created_at_id', '1000000 100000 100 1'), ('product', 'product_price_id', '1000000 100000 100 1'), ('product', 'product_name_id', '1000000 100000 100 1');

ANALYZE sqlite_schema;

-- postgres

DROP INDEX IF EXISTS "product_category_id";

CREATE INDEX "product_category_id_id" ON "product" ("tenant_id", "category_id", "id") WHERE "category_id" IS NOT NULL;
