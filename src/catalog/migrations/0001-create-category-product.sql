-- sqlite

CREATE TABLE "category" (
  "tenant_id" TEXT NOT NULL,
  "id" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "search_name" TEXT NOT NULL,
  "created_at" TEXT NOT NULL,
  "updated_at" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  PRIMARY KEY ("tenant_id", "id")
) WITHOUT ROWID;

CREATE UNIQUE INDEX "category_search_name" ON "category" ("tenant_id", "search_name");

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'category';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('category', 'category', '1000000 100000 1'), ('category', 'category_search_name', '1000000 100000 1');

ANALYZE sqlite_schema;

CREATE TABLE "product" (
  "tenant_id" TEXT NOT NULL,
  "id" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "search_name" TEXT NOT NULL,
  "description" TEXT,
  "price" DECIMAL(15,4) NOT NULL CHECK ("price" >= 0),
  "is_active" BOOLEAN NOT NULL,
  "category_id" TEXT,
  "created_at" TEXT NOT NULL,
  "updated_at" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  PRIMARY KEY ("tenant_id", "id"),
  FOREIGN KEY ("tenant_id", "category_id") REFERENCES "category" ("tenant_id", "id")
) WITHOUT ROWID;

CREATE INDEX "product_category_id" ON "product" ("tenant_id", "category_id") WHERE "category_id" IS NOT NULL;

CREATE INDEX "product_created_at_id" ON "product" ("tenant_id", "created_at", "id");

CREATE INDEX "product_price_id" ON "product" ("tenant_id", "price", "id");

CREATE INDEX "product_name_id" ON "product" ("tenant_id", "name", "id");

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'product';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('product', 'product', '1000000 100000 1'), ('product', 'product_category_id', '1000000 100000 100'), ('product', 'product_created_at_id', '1000000 100000 100 1'), ('product', 'product_price_id', '1000000 100000 100 1'), ('product', 'product_name_id', '1000000 100000 100 1');

ANALYZE sqlite_schema;

-- postgres

CREATE TABLE "category" (
  "tenant_id" text COLLATE "C" NOT NULL,
  "id" uuid NOT NULL,
  "name" text COLLATE "C" NOT NULL,
  "search_name" text NOT NULL,
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "version" bigint NOT NULL,
  PRIMARY KEY ("tenant_id", "id")
);

CREATE UNIQUE INDEX "category_search_name" ON "category" ("tenant_id", "search_name");

CREATE TABLE "product" (
  "tenant_id" text COLLATE "C" NOT NULL,
  "id" uuid NOT NULL,
  "name" text COLLATE "C" NOT NULL,
  "search_name" text NOT NULL,
  "description" text COLLATE "C",
  "price" numeric(15,4) NOT NULL CONSTRAINT "product_price_check" CHECK ("price" >= 0),
  "is_active" boolean NOT NULL,
  "category_id" uuid,
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "version" bigint NOT NULL,
  PRIMARY KEY ("tenant_id", "id"),
  CONSTRAINT "product_category_id_fkey" FOREIGN KEY ("tenant_id", "category_id") REFERENCES "category" ("tenant_id", "id")
);

CREATE INDEX "product_category_id" ON "product" ("tenant_id", "category_id") WHERE "category_id" IS NOT NULL;

CREATE INDEX "product_created_at_id" ON "product" ("tenant_id", "created_at", "id");

CREATE INDEX "product_price_id" ON "product" ("tenant_id", "price", "id");

CREATE INDEX "product_name_id" ON "product" ("tenant_id", "name", "id");

DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX "product_search_name_trigrams" ON "product" USING gin ("search_name" gin_trgm_ops);
EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_file OR undefined_object OR unique_violation THEN
  RAISE NOTICE 'product_search_name_trigrams was not created: %', SQLERRM;
END $$;
