-- sqlite

CREATE TABLE "comment_version" (
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

CREATE INDEX "comment_version_superseded_at" ON "comment_version" ("tenant_id", "superseded_at");

CREATE INDEX "comment_version_deleted_at_row_id" ON "comment_version" ("tenant_id", "deleted_at", "row_id") WHERE "deleted_at" IS NOT NULL;

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'comment_version';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('comment_version', 'comment_version', '1000000 100000 5 1'), ('comment_version', 'comment_version_superseded_at', '1000000 100000 100'), ('comment_version', 'comment_version_deleted_at_row_id', '1000000 100000 100 100');

ANALYZE sqlite_schema;

CREATE TABLE "comment_version_file" (
  "tenant_id" TEXT NOT NULL,
  "row_id" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "file_id" TEXT NOT NULL,
  PRIMARY KEY ("tenant_id", "row_id", "version", "file_id"),
  FOREIGN KEY ("tenant_id", "file_id") REFERENCES "file" ("tenant_id", "id")
) WITHOUT ROWID;

CREATE INDEX "comment_version_file_file_id" ON "comment_version_file" ("tenant_id", "file_id");

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'comment_version_file';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('comment_version_file', 'comment_version_file', '1000000 100000 5 5 1'), ('comment_version_file', 'comment_version_file_file_id', '1000000 100000 100');

ANALYZE sqlite_schema;

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

CREATE TABLE "note_version" (
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

CREATE INDEX "note_version_superseded_at" ON "note_version" ("tenant_id", "superseded_at");

CREATE INDEX "note_version_deleted_at_row_id" ON "note_version" ("tenant_id", "deleted_at", "row_id") WHERE "deleted_at" IS NOT NULL;

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'note_version';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('note_version', 'note_version', '1000000 100000 5 1'), ('note_version', 'note_version_superseded_at', '1000000 100000 100'), ('note_version', 'note_version_deleted_at_row_id', '1000000 100000 100 100');

ANALYZE sqlite_schema;

CREATE TABLE "note_version_file" (
  "tenant_id" TEXT NOT NULL,
  "row_id" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "file_id" TEXT NOT NULL,
  PRIMARY KEY ("tenant_id", "row_id", "version", "file_id"),
  FOREIGN KEY ("tenant_id", "file_id") REFERENCES "file" ("tenant_id", "id")
) WITHOUT ROWID;

CREATE INDEX "note_version_file_file_id" ON "note_version_file" ("tenant_id", "file_id");

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'note_version_file';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('note_version_file', 'note_version_file', '1000000 100000 5 5 1'), ('note_version_file', 'note_version_file_file_id', '1000000 100000 100');

ANALYZE sqlite_schema;

CREATE TABLE "team_member_version" (
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

CREATE INDEX "team_member_version_superseded_at" ON "team_member_version" ("tenant_id", "superseded_at");

CREATE INDEX "team_member_version_deleted_at_row_id" ON "team_member_version" ("tenant_id", "deleted_at", "row_id") WHERE "deleted_at" IS NOT NULL;

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'team_member_version';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('team_member_version', 'team_member_version', '1000000 100000 5 1'), ('team_member_version', 'team_member_version_superseded_at', '1000000 100000 100'), ('team_member_version', 'team_member_version_deleted_at_row_id', '1000000 100000 100 100');

ANALYZE sqlite_schema;

CREATE TABLE "team_version" (
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

CREATE INDEX "team_version_superseded_at" ON "team_version" ("tenant_id", "superseded_at");

CREATE INDEX "team_version_deleted_at_row_id" ON "team_version" ("tenant_id", "deleted_at", "row_id") WHERE "deleted_at" IS NOT NULL;

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'team_version';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('team_version', 'team_version', '1000000 100000 5 1'), ('team_version', 'team_version_superseded_at', '1000000 100000 100'), ('team_version', 'team_version_deleted_at_row_id', '1000000 100000 100 100');

ANALYZE sqlite_schema;

CREATE TABLE "ticket_version" (
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

CREATE INDEX "ticket_version_superseded_at" ON "ticket_version" ("tenant_id", "superseded_at");

CREATE INDEX "ticket_version_deleted_at_row_id" ON "ticket_version" ("tenant_id", "deleted_at", "row_id") WHERE "deleted_at" IS NOT NULL;

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'ticket_version';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('ticket_version', 'ticket_version', '1000000 100000 5 1'), ('ticket_version', 'ticket_version_superseded_at', '1000000 100000 100'), ('ticket_version', 'ticket_version_deleted_at_row_id', '1000000 100000 100 100');

ANALYZE sqlite_schema;

CREATE TABLE "ticket_version_file" (
  "tenant_id" TEXT NOT NULL,
  "row_id" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "file_id" TEXT NOT NULL,
  PRIMARY KEY ("tenant_id", "row_id", "version", "file_id"),
  FOREIGN KEY ("tenant_id", "file_id") REFERENCES "file" ("tenant_id", "id")
) WITHOUT ROWID;

CREATE INDEX "ticket_version_file_file_id" ON "ticket_version_file" ("tenant_id", "file_id");

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'ticket_version_file';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('ticket_version_file', 'ticket_version_file', '1000000 100000 5 5 1'), ('ticket_version_file', 'ticket_version_file_file_id', '1000000 100000 100');

ANALYZE sqlite_schema;

-- postgres

CREATE TABLE "comment_version" (
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

CREATE INDEX "comment_version_superseded_at" ON "comment_version" ("tenant_id", "superseded_at");

CREATE INDEX "comment_version_deleted_at_row_id" ON "comment_version" ("tenant_id", "deleted_at", "row_id") WHERE "deleted_at" IS NOT NULL;

CREATE TABLE "comment_version_file" (
  "tenant_id" text COLLATE "C" NOT NULL,
  "row_id" uuid NOT NULL,
  "version" bigint NOT NULL,
  "file_id" uuid NOT NULL,
  PRIMARY KEY ("tenant_id", "row_id", "version", "file_id"),
  CONSTRAINT "comment_version_file_file_id_fkey" FOREIGN KEY ("tenant_id", "file_id") REFERENCES "file" ("tenant_id", "id")
);

CREATE INDEX "comment_version_file_file_id" ON "comment_version_file" ("tenant_id", "file_id");

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

CREATE TABLE "note_version" (
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

CREATE INDEX "note_version_superseded_at" ON "note_version" ("tenant_id", "superseded_at");

CREATE INDEX "note_version_deleted_at_row_id" ON "note_version" ("tenant_id", "deleted_at", "row_id") WHERE "deleted_at" IS NOT NULL;

CREATE TABLE "note_version_file" (
  "tenant_id" text COLLATE "C" NOT NULL,
  "row_id" uuid NOT NULL,
  "version" bigint NOT NULL,
  "file_id" uuid NOT NULL,
  PRIMARY KEY ("tenant_id", "row_id", "version", "file_id"),
  CONSTRAINT "note_version_file_file_id_fkey" FOREIGN KEY ("tenant_id", "file_id") REFERENCES "file" ("tenant_id", "id")
);

CREATE INDEX "note_version_file_file_id" ON "note_version_file" ("tenant_id", "file_id");

CREATE TABLE "team_member_version" (
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

CREATE INDEX "team_member_version_superseded_at" ON "team_member_version" ("tenant_id", "superseded_at");

CREATE INDEX "team_member_version_deleted_at_row_id" ON "team_member_version" ("tenant_id", "deleted_at", "row_id") WHERE "deleted_at" IS NOT NULL;

CREATE TABLE "team_version" (
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

CREATE INDEX "team_version_superseded_at" ON "team_version" ("tenant_id", "superseded_at");

CREATE INDEX "team_version_deleted_at_row_id" ON "team_version" ("tenant_id", "deleted_at", "row_id") WHERE "deleted_at" IS NOT NULL;

CREATE TABLE "ticket_version" (
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

CREATE INDEX "ticket_version_superseded_at" ON "ticket_version" ("tenant_id", "superseded_at");

CREATE INDEX "ticket_version_deleted_at_row_id" ON "ticket_version" ("tenant_id", "deleted_at", "row_id") WHERE "deleted_at" IS NOT NULL;

CREATE TABLE "ticket_version_file" (
  "tenant_id" text COLLATE "C" NOT NULL,
  "row_id" uuid NOT NULL,
  "version" bigint NOT NULL,
  "file_id" uuid NOT NULL,
  PRIMARY KEY ("tenant_id", "row_id", "version", "file_id"),
  CONSTRAINT "ticket_version_file_file_id_fkey" FOREIGN KEY ("tenant_id", "file_id") REFERENCES "file" ("tenant_id", "id")
);

CREATE INDEX "ticket_version_file_file_id" ON "ticket_version_file" ("tenant_id", "file_id");
