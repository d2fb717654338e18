-- sqlite

CREATE TABLE "customer" (
  "tenant_id" TEXT NOT NULL,
  "id" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "search_name" TEXT NOT NULL,
  "email" TEXT,
  "created_at" TEXT NOT NULL,
  "updated_at" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  PRIMARY KEY ("tenant_id", "id")
) WITHOUT ROWID;

CREATE UNIQUE INDEX "customer_search_name" ON "customer" ("tenant_id", "search_name");

CREATE INDEX "customer_created_at_id" ON "customer" ("tenant_id", "created_at", "id");

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'customer';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('customer', 'customer', '1000000 100000 1'), ('customer', 'customer_search_name', '1000000 100000 1'), ('customer', 'customer_created_at_id', '1000000 100000 100 1');

ANALYZE sqlite_schema;

CREATE TABLE "invoice" (
  "tenant_id" TEXT NOT NULL,
  "id" TEXT NOT NULL,
  "number" INTEGER NOT NULL CHECK ("number" >= 1),
  "customer_id" TEXT NOT NULL,
  "total" DECIMAL(15,4) NOT NULL CHECK ("total" >= 0),
  "status" TEXT NOT NULL CHECK ("status" IN ('draft', 'sent', 'paid', 'void')),
  "note" TEXT,
  "search_note" TEXT,
  "created_at" TEXT NOT NULL,
  "updated_at" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  PRIMARY KEY ("tenant_id", "id"),
  FOREIGN KEY ("tenant_id", "customer_id") REFERENCES "customer" ("tenant_id", "id")
) WITHOUT ROWID;

CREATE INDEX "invoice_customer_id" ON "invoice" ("tenant_id", "customer_id");

CREATE UNIQUE INDEX "invoice_number" ON "invoice" ("tenant_id", "number");

CREATE INDEX "invoice_created_at_id" ON "invoice" ("tenant_id", "created_at", "id");

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'invoice';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('invoice', 'invoice', '1000000 100000 1'), ('invoice', 'invoice_customer_id', '1000000 100000 100'), ('invoice', 'invoice_number', '1000000 100000 1'), ('invoice', 'invoice_created_at_id', '1000000 100000 100 1');

ANALYZE sqlite_schema;

CREATE TABLE "invoice_line" (
  "tenant_id" TEXT NOT NULL,
  "invoice_id" TEXT NOT NULL,
  "position" INTEGER NOT NULL,
  "text" TEXT NOT NULL,
  "quantity" INTEGER NOT NULL CHECK ("quantity" >= 1 AND "quantity" <= 1000),
  "price" DECIMAL(15,4) NOT NULL CHECK ("price" >= 0),
  PRIMARY KEY ("tenant_id", "invoice_id", "position"),
  FOREIGN KEY ("tenant_id", "invoice_id") REFERENCES "invoice" ("tenant_id", "id") ON DELETE CASCADE
) WITHOUT ROWID;

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'invoice_line';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('invoice_line', 'invoice_line', '1000000 100000 5 1');

ANALYZE sqlite_schema;

-- postgres

CREATE TABLE "customer" (
  "tenant_id" text COLLATE "C" NOT NULL,
  "id" uuid NOT NULL,
  "name" text COLLATE "C" NOT NULL,
  "search_name" text NOT NULL,
  "email" text COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "version" bigint NOT NULL,
  PRIMARY KEY ("tenant_id", "id")
);

CREATE UNIQUE INDEX "customer_search_name" ON "customer" ("tenant_id", "search_name");

CREATE INDEX "customer_created_at_id" ON "customer" ("tenant_id", "created_at", "id");

DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX "customer_search_name_trigrams" ON "customer" USING gin ("search_name" gin_trgm_ops);
EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_file OR undefined_object OR unique_violation THEN
  RAISE NOTICE 'customer_search_name_trigrams was not created: %', SQLERRM;
END $$;

CREATE TABLE "invoice" (
  "tenant_id" text COLLATE "C" NOT NULL,
  "id" uuid NOT NULL,
  "number" bigint NOT NULL CONSTRAINT "invoice_number_check" CHECK ("number" >= 1),
  "customer_id" uuid NOT NULL,
  "total" numeric(15,4) NOT NULL CONSTRAINT "invoice_total_check" CHECK ("total" >= 0),
  "status" text COLLATE "C" NOT NULL CONSTRAINT "invoice_status_check" CHECK ("status" IN ('draft', 'sent', 'paid', 'void')),
  "note" text COLLATE "C",
  "search_note" text,
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "version" bigint NOT NULL,
  PRIMARY KEY ("tenant_id", "id"),
  CONSTRAINT "invoice_customer_id_fkey" FOREIGN KEY ("tenant_id", "customer_id") REFERENCES "customer" ("tenant_id", "id")
);

CREATE INDEX "invoice_customer_id" ON "invoice" ("tenant_id", "customer_id");

CREATE UNIQUE INDEX "invoice_number" ON "invoice" ("tenant_id", "number");

CREATE INDEX "invoice_created_at_id" ON "invoice" ("tenant_id", "created_at", "id");

DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX "invoice_search_note_trigrams" ON "invoice" USING gin ("search_note" gin_trgm_ops);
EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_file OR undefined_object OR unique_violation THEN
  RAISE NOTICE 'invoice_search_note_trigrams was not created: %', SQLERRM;
END $$;

CREATE TABLE "invoice_line" (
  "tenant_id" text COLLATE "C" NOT NULL,
  "invoice_id" uuid NOT NULL,
  "position" bigint NOT NULL,
  "text" text COLLATE "C" NOT NULL,
  "quantity" bigint NOT NULL CONSTRAINT "invoice_line_quantity_check" CHECK ("quantity" >= 1 AND "quantity" <= 1000),
  "price" numeric(15,4) NOT NULL CONSTRAINT "invoice_line_price_check" CHECK ("price" >= 0),
  PRIMARY KEY ("tenant_id", "invoice_id", "position"),
  CONSTRAINT "invoice_line_invoice_id_fkey" FOREIGN KEY ("tenant_id", "invoice_id") REFERENCES "invoice" ("tenant_id", "id") ON DELETE CASCADE
);
