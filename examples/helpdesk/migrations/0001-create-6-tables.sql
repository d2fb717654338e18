-- sqlite

CREATE TABLE "customer" (
  "tenant_id" TEXT NOT NULL,
  "id" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "contact_id" TEXT NOT NULL,
  "created_at" TEXT NOT NULL,
  "updated_at" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  PRIMARY KEY ("tenant_id", "id")
) WITHOUT ROWID;

CREATE INDEX "customer_contact_id_id" ON "customer" ("tenant_id", "contact_id", "id");

CREATE INDEX "customer_created_at_id" ON "customer" ("tenant_id", "created_at", "id");

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'customer';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('customer', 'customer', '1000000 100000 1'), ('customer', 'customer_contact_id_id', '1000000 100000 100 1'), ('customer', 'customer_created_at_id', '1000000 100000 100 1');

ANALYZE sqlite_schema;

CREATE TABLE "team" (
  "tenant_id" TEXT NOT NULL,
  "id" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "created_at" TEXT NOT NULL,
  "updated_at" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  PRIMARY KEY ("tenant_id", "id")
) WITHOUT ROWID;

CREATE INDEX "team_created_at_id" ON "team" ("tenant_id", "created_at", "id");

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'team';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('team', 'team', '1000000 100000 1'), ('team', 'team_created_at_id', '1000000 100000 100 1');

ANALYZE sqlite_schema;

CREATE TABLE "ticket" (
  "tenant_id" TEXT NOT NULL,
  "id" TEXT NOT NULL,
  "title" TEXT NOT NULL,
  "search_title" TEXT NOT NULL,
  "customer_id" TEXT NOT NULL,
  "team_id" TEXT,
  "state" TEXT NOT NULL CHECK ("state" IN ('open', 'closed')),
  "cost" DECIMAL(15,4) NOT NULL CHECK ("cost" >= 0),
  "screenshot_id" TEXT,
  "created_at" TEXT NOT NULL,
  "updated_at" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  PRIMARY KEY ("tenant_id", "id"),
  FOREIGN KEY ("tenant_id", "customer_id") REFERENCES "customer" ("tenant_id", "id"),
  FOREIGN KEY ("tenant_id", "team_id") REFERENCES "team" ("tenant_id", "id"),
  FOREIGN KEY ("tenant_id", "screenshot_id") REFERENCES "file" ("tenant_id", "id")
) WITHOUT ROWID;

CREATE INDEX "ticket_customer_id_id" ON "ticket" ("tenant_id", "customer_id", "id");

CREATE INDEX "ticket_team_id_id" ON "ticket" ("tenant_id", "team_id", "id") WHERE "team_id" IS NOT NULL;

CREATE INDEX "ticket_screenshot_id_id" ON "ticket" ("tenant_id", "screenshot_id", "id") WHERE "screenshot_id" IS NOT NULL;

CREATE INDEX "ticket_created_at_id" ON "ticket" ("tenant_id", "created_at", "id");

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'ticket';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('ticket', 'ticket', '1000000 100000 1'), ('ticket', 'ticket_customer_id_id', '1000000 100000 100 1'), ('ticket', 'ticket_team_id_id', '1000000 100000 100 1'), ('ticket', 'ticket_screenshot_id_id', '1000000 100000 100 1'), ('ticket', 'ticket_created_at_id', '1000000 100000 100 1');

ANALYZE sqlite_schema;

CREATE TABLE "comment" (
  "tenant_id" TEXT NOT NULL,
  "id" TEXT NOT NULL,
  "ticket_id" TEXT NOT NULL,
  "author_id" TEXT,
  "body" TEXT NOT NULL,
  "attachment_id" TEXT,
  "created_at" TEXT NOT NULL,
  "updated_at" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  PRIMARY KEY ("tenant_id", "id"),
  FOREIGN KEY ("tenant_id", "ticket_id") REFERENCES "ticket" ("tenant_id", "id"),
  FOREIGN KEY ("tenant_id", "attachment_id") REFERENCES "file" ("tenant_id", "id")
) WITHOUT ROWID;

CREATE INDEX "comment_ticket_id_id" ON "comment" ("tenant_id", "ticket_id", "id");

CREATE INDEX "comment_author_id_id" ON "comment" ("tenant_id", "author_id", "id") WHERE "author_id" IS NOT NULL;

CREATE INDEX "comment_attachment_id_id" ON "comment" ("tenant_id", "attachment_id", "id") WHERE "attachment_id" IS NOT NULL;

CREATE INDEX "comment_created_at_id" ON "comment" ("tenant_id", "created_at", "id");

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'comment';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('comment', 'comment', '1000000 100000 1'), ('comment', 'comment_ticket_id_id', '1000000 100000 100 1'), ('comment', 'comment_author_id_id', '1000000 100000 100 1'), ('comment', 'comment_attachment_id_id', '1000000 100000 100 1'), ('comment', 'comment_created_at_id', '1000000 100000 100 1');

ANALYZE sqlite_schema;

CREATE TABLE "note" (
  "tenant_id" TEXT NOT NULL,
  "id" TEXT NOT NULL,
  "ticket_id" TEXT NOT NULL,
  "body" TEXT NOT NULL,
  "file_id" TEXT,
  "created_at" TEXT NOT NULL,
  "updated_at" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  PRIMARY KEY ("tenant_id", "id"),
  FOREIGN KEY ("tenant_id", "ticket_id") REFERENCES "ticket" ("tenant_id", "id"),
  FOREIGN KEY ("tenant_id", "file_id") REFERENCES "file" ("tenant_id", "id")
) WITHOUT ROWID;

CREATE INDEX "note_ticket_id_id" ON "note" ("tenant_id", "ticket_id", "id");

CREATE INDEX "note_file_id_id" ON "note" ("tenant_id", "file_id", "id") WHERE "file_id" IS NOT NULL;

CREATE INDEX "note_created_at_id" ON "note" ("tenant_id", "created_at", "id");

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'note';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('note', 'note', '1000000 100000 1'), ('note', 'note_ticket_id_id', '1000000 100000 100 1'), ('note', 'note_file_id_id', '1000000 100000 100 1'), ('note', 'note_created_at_id', '1000000 100000 100 1');

ANALYZE sqlite_schema;

CREATE TABLE "team_member" (
  "tenant_id" TEXT NOT NULL,
  "id" TEXT NOT NULL,
  "team_id" TEXT NOT NULL,
  "member_id" TEXT NOT NULL,
  "created_at" TEXT NOT NULL,
  "updated_at" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  PRIMARY KEY ("tenant_id", "id"),
  FOREIGN KEY ("tenant_id", "team_id") REFERENCES "team" ("tenant_id", "id")
) WITHOUT ROWID;

CREATE INDEX "team_member_team_id_id" ON "team_member" ("tenant_id", "team_id", "id");

CREATE UNIQUE INDEX "team_member_member_id_team_id" ON "team_member" ("tenant_id", "member_id", "team_id");

CREATE INDEX "team_member_created_at_id" ON "team_member" ("tenant_id", "created_at", "id");

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'team_member';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('team_member', 'team_member', '1000000 100000 1'), ('team_member', 'team_member_team_id_id', '1000000 100000 100 1'), ('team_member', 'team_member_member_id_team_id', '1000000 100000 100 1'), ('team_member', 'team_member_created_at_id', '1000000 100000 100 1');

ANALYZE sqlite_schema;

-- postgres

CREATE TABLE "customer" (
  "tenant_id" text COLLATE "C" NOT NULL,
  "id" uuid NOT NULL,
  "name" text COLLATE "C" NOT NULL,
  "contact_id" uuid NOT NULL,
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "version" bigint NOT NULL,
  PRIMARY KEY ("tenant_id", "id")
);

CREATE INDEX "customer_contact_id_id" ON "customer" ("tenant_id", "contact_id", "id");

CREATE INDEX "customer_created_at_id" ON "customer" ("tenant_id", "created_at", "id");

CREATE TABLE "team" (
  "tenant_id" text COLLATE "C" NOT NULL,
  "id" uuid NOT NULL,
  "name" text COLLATE "C" NOT NULL,
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "version" bigint NOT NULL,
  PRIMARY KEY ("tenant_id", "id")
);

CREATE INDEX "team_created_at_id" ON "team" ("tenant_id", "created_at", "id");

CREATE TABLE "ticket" (
  "tenant_id" text COLLATE "C" NOT NULL,
  "id" uuid NOT NULL,
  "title" text COLLATE "C" NOT NULL,
  "search_title" text NOT NULL,
  "customer_id" uuid NOT NULL,
  "team_id" uuid,
  "state" text COLLATE "C" NOT NULL CONSTRAINT "ticket_state_check" CHECK ("state" IN ('open', 'closed')),
  "cost" numeric(15,4) NOT NULL CONSTRAINT "ticket_cost_check" CHECK ("cost" >= 0),
  "screenshot_id" uuid,
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "version" bigint NOT NULL,
  PRIMARY KEY ("tenant_id", "id"),
  CONSTRAINT "ticket_customer_id_fkey" FOREIGN KEY ("tenant_id", "customer_id") REFERENCES "customer" ("tenant_id", "id"),
  CONSTRAINT "ticket_team_id_fkey" FOREIGN KEY ("tenant_id", "team_id") REFERENCES "team" ("tenant_id", "id"),
  CONSTRAINT "ticket_screenshot_id_fkey" FOREIGN KEY ("tenant_id", "screenshot_id") REFERENCES "file" ("tenant_id", "id")
);

CREATE INDEX "ticket_customer_id_id" ON "ticket" ("tenant_id", "customer_id", "id");

CREATE INDEX "ticket_team_id_id" ON "ticket" ("tenant_id", "team_id", "id") WHERE "team_id" IS NOT NULL;

CREATE INDEX "ticket_screenshot_id_id" ON "ticket" ("tenant_id", "screenshot_id", "id") WHERE "screenshot_id" IS NOT NULL;

CREATE INDEX "ticket_created_at_id" ON "ticket" ("tenant_id", "created_at", "id");

DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX "ticket_search_title_trigrams" ON "ticket" USING gin ("search_title" gin_trgm_ops);
EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_file OR undefined_object OR unique_violation THEN
  RAISE NOTICE 'ticket_search_title_trigrams was not created: %', SQLERRM;
END $$;

CREATE TABLE "comment" (
  "tenant_id" text COLLATE "C" NOT NULL,
  "id" uuid NOT NULL,
  "ticket_id" uuid NOT NULL,
  "author_id" uuid,
  "body" text COLLATE "C" NOT NULL,
  "attachment_id" uuid,
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "version" bigint NOT NULL,
  PRIMARY KEY ("tenant_id", "id"),
  CONSTRAINT "comment_ticket_id_fkey" FOREIGN KEY ("tenant_id", "ticket_id") REFERENCES "ticket" ("tenant_id", "id"),
  CONSTRAINT "comment_attachment_id_fkey" FOREIGN KEY ("tenant_id", "attachment_id") REFERENCES "file" ("tenant_id", "id")
);

CREATE INDEX "comment_ticket_id_id" ON "comment" ("tenant_id", "ticket_id", "id");

CREATE INDEX "comment_author_id_id" ON "comment" ("tenant_id", "author_id", "id") WHERE "author_id" IS NOT NULL;

CREATE INDEX "comment_attachment_id_id" ON "comment" ("tenant_id", "attachment_id", "id") WHERE "attachment_id" IS NOT NULL;

CREATE INDEX "comment_created_at_id" ON "comment" ("tenant_id", "created_at", "id");

CREATE TABLE "note" (
  "tenant_id" text COLLATE "C" NOT NULL,
  "id" uuid NOT NULL,
  "ticket_id" uuid NOT NULL,
  "body" text COLLATE "C" NOT NULL,
  "file_id" uuid,
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "version" bigint NOT NULL,
  PRIMARY KEY ("tenant_id", "id"),
  CONSTRAINT "note_ticket_id_fkey" FOREIGN KEY ("tenant_id", "ticket_id") REFERENCES "ticket" ("tenant_id", "id"),
  CONSTRAINT "note_file_id_fkey" FOREIGN KEY ("tenant_id", "file_id") REFERENCES "file" ("tenant_id", "id")
);

CREATE INDEX "note_ticket_id_id" ON "note" ("tenant_id", "ticket_id", "id");

CREATE INDEX "note_file_id_id" ON "note" ("tenant_id", "file_id", "id") WHERE "file_id" IS NOT NULL;

CREATE INDEX "note_created_at_id" ON "note" ("tenant_id", "created_at", "id");

CREATE TABLE "team_member" (
  "tenant_id" text COLLATE "C" NOT NULL,
  "id" uuid NOT NULL,
  "team_id" uuid NOT NULL,
  "member_id" uuid NOT NULL,
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "version" bigint NOT NULL,
  PRIMARY KEY ("tenant_id", "id"),
  CONSTRAINT "team_member_team_id_fkey" FOREIGN KEY ("tenant_id", "team_id") REFERENCES "team" ("tenant_id", "id")
);

CREATE INDEX "team_member_team_id_id" ON "team_member" ("tenant_id", "team_id", "id");

CREATE UNIQUE INDEX "team_member_member_id_team_id" ON "team_member" ("tenant_id", "member_id", "team_id");

CREATE INDEX "team_member_created_at_id" ON "team_member" ("tenant_id", "created_at", "id");
