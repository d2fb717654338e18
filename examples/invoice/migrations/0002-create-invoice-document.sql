-- sqlite

CREATE TABLE "invoice_document" (
  "tenant_id" TEXT NOT NULL,
  "id" TEXT NOT NULL,
  "invoice_id" TEXT NOT NULL,
  "pdf_id" TEXT NOT NULL,
  "created_at" TEXT NOT NULL,
  "updated_at" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  PRIMARY KEY ("tenant_id", "id"),
  FOREIGN KEY ("tenant_id", "invoice_id") REFERENCES "invoice" ("tenant_id", "id"),
  FOREIGN KEY ("tenant_id", "pdf_id") REFERENCES "file" ("tenant_id", "id")
) WITHOUT ROWID;

CREATE INDEX "invoice_document_pdf_id" ON "invoice_document" ("tenant_id", "pdf_id");

CREATE UNIQUE INDEX "invoice_document_invoice_id" ON "invoice_document" ("tenant_id", "invoice_id");

CREATE INDEX "invoice_document_created_at_id" ON "invoice_document" ("tenant_id", "created_at", "id");

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'invoice_document';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('invoice_document', 'invoice_document', '1000000 100000 1'), ('invoice_document', 'invoice_document_pdf_id', '1000000 100000 100'), ('invoice_document', 'invoice_document_invoice_id', '1000000 100000 1'), ('invoice_document', 'invoice_document_created_at_id', '1000000 100000 100 1');

ANALYZE sqlite_schema;

-- postgres

CREATE TABLE "invoice_document" (
  "tenant_id" text COLLATE "C" NOT NULL,
  "id" uuid NOT NULL,
  "invoice_id" uuid NOT NULL,
  "pdf_id" uuid NOT NULL,
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "version" bigint NOT NULL,
  PRIMARY KEY ("tenant_id", "id"),
  CONSTRAINT "invoice_document_invoice_id_fkey" FOREIGN KEY ("tenant_id", "invoice_id") REFERENCES "invoice" ("tenant_id", "id"),
  CONSTRAINT "invoice_document_pdf_id_fkey" FOREIGN KEY ("tenant_id", "pdf_id") REFERENCES "file" ("tenant_id", "id")
);

CREATE INDEX "invoice_document_pdf_id" ON "invoice_document" ("tenant_id", "pdf_id");

CREATE UNIQUE INDEX "invoice_document_invoice_id" ON "invoice_document" ("tenant_id", "invoice_id");

CREATE INDEX "invoice_document_created_at_id" ON "invoice_document" ("tenant_id", "created_at", "id");
