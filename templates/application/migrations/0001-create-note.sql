-- sqlite

CREATE TABLE "note" (
  "tenant_id" TEXT NOT NULL,
  "id" TEXT NOT NULL,
  "title" TEXT NOT NULL,
  "search_title" TEXT NOT NULL,
  "body" TEXT,
  "created_at" TEXT NOT NULL,
  "updated_at" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  PRIMARY KEY ("tenant_id", "id")
) WITHOUT ROWID;

CREATE INDEX "note_created_at_id" ON "note" ("tenant_id", "created_at", "id");

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'note';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('note', 'note', '1000000 100000 1'), ('note', 'note_created_at_id', '1000000 100000 100 1');

ANALYZE sqlite_schema;

-- postgres

CREATE TABLE "note" (
  "tenant_id" text COLLATE "C" NOT NULL,
  "id" uuid NOT NULL,
  "title" text COLLATE "C" NOT NULL,
  "search_title" text NOT NULL,
  "body" text COLLATE "C",
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "version" bigint NOT NULL,
  PRIMARY KEY ("tenant_id", "id")
);

CREATE INDEX "note_created_at_id" ON "note" ("tenant_id", "created_at", "id");

DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX "note_search_title_trigrams" ON "note" USING gin ("search_title" gin_trgm_ops);
EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_file OR undefined_object OR unique_violation THEN
  RAISE NOTICE 'note_search_title_trigrams was not created: %', SQLERRM;
END $$;
