-- sqlite

DROP INDEX "invoice_customer_id";

DROP INDEX "invoice_document_pdf_id";

CREATE INDEX "invoice_customer_id_id" ON "invoice" ("tenant_id", "customer_id", "id");

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'invoice';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('invoice', 'invoice', '1000000 100000 1'), ('invoice', 'invoice_customer_id_id', '1000000 100000 100 1'), ('invoice', 'invoice_number', '1000000 100000 1'), ('invoice', 'invoice_created_at_id', '1000000 100000 100 1');

ANALYZE sqlite_schema;

CREATE INDEX "invoice_document_pdf_id_id" ON "invoice_document" ("tenant_id", "pdf_id", "id");

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'invoice_document';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('invoice_document', 'invoice_document', '1000000 100000 1'), ('invoice_document', 'invoice_document_pdf_id_id', '1000000 100000 100 1'), ('invoice_document', 'invoice_document_invoice_id', '1000000 100000 1'), ('invoice_document', 'invoice_document_created_at_id', '1000000 100000 100 1');

ANALYZE sqlite_schema;

-- postgres

DROP INDEX IF EXISTS "invoice_customer_id";

DROP INDEX IF EXISTS "invoice_document_pdf_id";

CREATE INDEX "invoice_customer_id_id" ON "invoice" ("tenant_id", "customer_id", "id");

CREATE INDEX "invoice_document_pdf_id_id" ON "invoice_document" ("tenant_id", "pdf_id", "id");
