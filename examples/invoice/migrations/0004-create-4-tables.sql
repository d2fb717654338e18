-- sqlite

CREATE TABLE "customer_version" (
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

CREATE INDEX "customer_version_superseded_at" ON "customer_version" ("tenant_id", "superseded_at");

CREATE INDEX "customer_version_deleted_at_row_id" ON "customer_version" ("tenant_id", "deleted_at", "row_id") WHERE "deleted_at" IS NOT NULL;

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'customer_version';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('customer_version', 'customer_version', '1000000 100000 5 1'), ('customer_version', 'customer_version_superseded_at', '1000000 100000 100'), ('customer_version', 'customer_version_deleted_at_row_id', '1000000 100000 100 100');

ANALYZE sqlite_schema;

CREATE TABLE "invoice_document_version" (
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

CREATE INDEX "invoice_document_version_superseded_at" ON "invoice_document_version" ("tenant_id", "superseded_at");

CREATE INDEX "invoice_document_version_deleted_at_row_id" ON "invoice_document_version" ("tenant_id", "deleted_at", "row_id") WHERE "deleted_at" IS NOT NULL;

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'invoice_document_version';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('invoice_document_version', 'invoice_document_version', '1000000 100000 5 1'), ('invoice_document_version', 'invoice_document_version_superseded_at', '1000000 100000 100'), ('invoice_document_version', 'invoice_document_version_deleted_at_row_id', '1000000 100000 100 100');

ANALYZE sqlite_schema;

CREATE TABLE "invoice_document_version_file" (
  "tenant_id" TEXT NOT NULL,
  "row_id" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "file_id" TEXT NOT NULL,
  PRIMARY KEY ("tenant_id", "row_id", "version", "file_id"),
  FOREIGN KEY ("tenant_id", "file_id") REFERENCES "file" ("tenant_id", "id")
) WITHOUT ROWID;

CREATE INDEX "invoice_document_version_file_file_id" ON "invoice_document_version_file" ("tenant_id", "file_id");

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'invoice_document_version_file';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('invoice_document_version_file', 'invoice_document_version_file', '1000000 100000 5 5 1'), ('invoice_document_version_file', 'invoice_document_version_file_file_id', '1000000 100000 100');

ANALYZE sqlite_schema;

CREATE TABLE "invoice_version" (
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

CREATE INDEX "invoice_version_superseded_at" ON "invoice_version" ("tenant_id", "superseded_at");

CREATE INDEX "invoice_version_deleted_at_row_id" ON "invoice_version" ("tenant_id", "deleted_at", "row_id") WHERE "deleted_at" IS NOT NULL;

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'invoice_version';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('invoice_version', 'invoice_version', '1000000 100000 5 1'), ('invoice_version', 'invoice_version_superseded_at', '1000000 100000 100'), ('invoice_version', 'invoice_version_deleted_at_row_id', '1000000 100000 100 100');

ANALYZE sqlite_schema;

-- postgres

CREATE TABLE "customer_version" (
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

CREATE INDEX "customer_version_superseded_at" ON "customer_version" ("tenant_id", "superseded_at");

CREATE INDEX "customer_version_deleted_at_row_id" ON "customer_version" ("tenant_id", "deleted_at", "row_id") WHERE "deleted_at" IS NOT NULL;

CREATE TABLE "invoice_document_version" (
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

CREATE INDEX "invoice_document_version_superseded_at" ON "invoice_document_version" ("tenant_id", "superseded_at");

CREATE INDEX "invoice_document_version_deleted_at_row_id" ON "invoice_document_version" ("tenant_id", "deleted_at", "row_id") WHERE "deleted_at" IS NOT NULL;

CREATE TABLE "invoice_document_version_file" (
  "tenant_id" text COLLATE "C" NOT NULL,
  "row_id" uuid NOT NULL,
  "version" bigint NOT NULL,
  "file_id" uuid NOT NULL,
  PRIMARY KEY ("tenant_id", "row_id", "version", "file_id"),
  CONSTRAINT "invoice_document_version_file_file_id_fkey" FOREIGN KEY ("tenant_id", "file_id") REFERENCES "file" ("tenant_id", "id")
);

CREATE INDEX "invoice_document_version_file_file_id" ON "invoice_document_version_file" ("tenant_id", "file_id");

CREATE TABLE "invoice_version" (
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

CREATE INDEX "invoice_version_superseded_at" ON "invoice_version" ("tenant_id", "superseded_at");

CREATE INDEX "invoice_version_deleted_at_row_id" ON "invoice_version" ("tenant_id", "deleted_at", "row_id") WHERE "deleted_at" IS NOT NULL;
