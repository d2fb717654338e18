-- oldest version: 0.2.0

-- sqlite

CREATE TABLE "category_version" (
  "tenant_id" TEXT NOT NULL,
  "row_id" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "superseded_at" TEXT NOT NULL,
  "actor_id" TEXT,
  "impersonator_id" TEXT,
  "action" TEXT NOT NULL,
  "restored_from" INTEGER,
  "deleted_at" TEXT,
  "row" TEXT,
  PRIMARY KEY ("tenant_id", "row_id", "version")
) WITHOUT ROWID;

CREATE INDEX "category_version_superseded_at" ON "category_version" ("tenant_id", "superseded_at");

CREATE INDEX "category_version_deleted_at_row_id" ON "category_version" ("tenant_id", "deleted_at", "row_id") WHERE "deleted_at" IS NOT NULL;

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'category_version';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('category_version', 'category_version', '1000000 100000 5 1'), ('category_version', 'category_version_superseded_at', '1000000 100000 100'), ('category_version', 'category_version_deleted_at_row_id', '1000000 100000 100 100');

ANALYZE sqlite_schema;

CREATE TABLE "product_version" (
  "tenant_id" TEXT NOT NULL,
  "row_id" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "superseded_at" TEXT NOT NULL,
  "actor_id" TEXT,
  "impersonator_id" TEXT,
  "action" TEXT NOT NULL,
  "restored_from" INTEGER,
  "deleted_at" TEXT,
  "row" TEXT,
  PRIMARY KEY ("tenant_id", "row_id", "version")
) WITHOUT ROWID;

CREATE INDEX "product_version_superseded_at" ON "product_version" ("tenant_id", "superseded_at");

CREATE INDEX "product_version_deleted_at_row_id" ON "product_version" ("tenant_id", "deleted_at", "row_id") WHERE "deleted_at" IS NOT NULL;

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'product_version';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('product_version', 'product_version', '1000000 100000 5 1'), ('product_version', 'product_version_superseded_at', '1000000 100000 100'), ('product_version', 'product_version_deleted_at_row_id', '1000000 100000 100 100');

ANALYZE sqlite_schema;

-- postgres

CREATE TABLE "category_version" (
  "tenant_id" text COLLATE "C" NOT NULL,
  "row_id" uuid NOT NULL,
  "version" bigint NOT NULL,
  "superseded_at" timestamptz NOT NULL,
  "actor_id" uuid,
  "impersonator_id" uuid,
  "action" text COLLATE "C" NOT NULL,
  "restored_from" bigint,
  "deleted_at" timestamptz,
  "row" text,
  PRIMARY KEY ("tenant_id", "row_id", "version")
);

CREATE INDEX "category_version_superseded_at" ON "category_version" ("tenant_id", "superseded_at");

CREATE INDEX "category_version_deleted_at_row_id" ON "category_version" ("tenant_id", "deleted_at", "row_id") WHERE "deleted_at" IS NOT NULL;

CREATE TABLE "product_version" (
  "tenant_id" text COLLATE "C" NOT NULL,
  "row_id" uuid NOT NULL,
  "version" bigint NOT NULL,
  "superseded_at" timestamptz NOT NULL,
  "actor_id" uuid,
  "impersonator_id" uuid,
  "action" text COLLATE "C" NOT NULL,
  "restored_from" bigint,
  "deleted_at" timestamptz,
  "row" text,
  PRIMARY KEY ("tenant_id", "row_id", "version")
);

CREATE INDEX "product_version_superseded_at" ON "product_version" ("tenant_id", "superseded_at");

CREATE INDEX "product_version_deleted_at_row_id" ON "product_version" ("tenant_id", "deleted_at", "row_id") WHERE "deleted_at" IS NOT NULL;
