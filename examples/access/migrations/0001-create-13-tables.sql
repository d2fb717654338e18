-- sqlite

CREATE TABLE "article" (
  "tenant_id" TEXT NOT NULL,
  "id" TEXT NOT NULL,
  "title" TEXT NOT NULL,
  "author_id" TEXT NOT NULL,
  "state" TEXT NOT NULL CHECK ("state" IN ('draft', 'published')),
  "created_at" TEXT NOT NULL,
  "updated_at" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  PRIMARY KEY ("tenant_id", "id")
) WITHOUT ROWID;

CREATE INDEX "article_author_id_id" ON "article" ("tenant_id", "author_id", "id");

CREATE INDEX "article_state_id" ON "article" ("tenant_id", "state", "id");

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'article';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('article', 'article', '1000000 100000 1'), ('article', 'article_author_id_id', '1000000 100000 100 1'), ('article', 'article_state_id', '1000000 100000 100 1');

ANALYZE sqlite_schema;

CREATE TABLE "crew" (
  "tenant_id" TEXT NOT NULL,
  "id" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "created_at" TEXT NOT NULL,
  "updated_at" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  PRIMARY KEY ("tenant_id", "id")
) WITHOUT ROWID;

CREATE INDEX "crew_created_at_id" ON "crew" ("tenant_id", "created_at", "id");

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'crew';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('crew', 'crew', '1000000 100000 1'), ('crew', 'crew_created_at_id', '1000000 100000 100 1');

ANALYZE sqlite_schema;

CREATE TABLE "crew_member" (
  "tenant_id" TEXT NOT NULL,
  "id" TEXT NOT NULL,
  "crew_id" TEXT NOT NULL,
  "member_id" TEXT NOT NULL,
  "created_at" TEXT NOT NULL,
  "updated_at" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  PRIMARY KEY ("tenant_id", "id"),
  FOREIGN KEY ("tenant_id", "crew_id") REFERENCES "crew" ("tenant_id", "id")
) WITHOUT ROWID;

CREATE INDEX "crew_member_crew_id_id" ON "crew_member" ("tenant_id", "crew_id", "id");

CREATE UNIQUE INDEX "crew_member_member_id_crew_id" ON "crew_member" ("tenant_id", "member_id", "crew_id");

CREATE INDEX "crew_member_created_at_id" ON "crew_member" ("tenant_id", "created_at", "id");

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'crew_member';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('crew_member', 'crew_member', '1000000 100000 1'), ('crew_member', 'crew_member_crew_id_id', '1000000 100000 100 1'), ('crew_member', 'crew_member_member_id_crew_id', '1000000 100000 100 1'), ('crew_member', 'crew_member_created_at_id', '1000000 100000 100 1');

ANALYZE sqlite_schema;

CREATE TABLE "device" (
  "tenant_id" TEXT NOT NULL,
  "id" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "serial" TEXT NOT NULL,
  "pin" TEXT,
  "value" DECIMAL(15,4) NOT NULL CHECK ("value" >= 0),
  "created_at" TEXT NOT NULL,
  "updated_at" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  PRIMARY KEY ("tenant_id", "id")
) WITHOUT ROWID;

CREATE INDEX "device_created_at_id" ON "device" ("tenant_id", "created_at", "id");

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'device';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('device', 'device', '1000000 100000 1'), ('device', 'device_created_at_id', '1000000 100000 100 1');

ANALYZE sqlite_schema;

CREATE TABLE "employee" (
  "tenant_id" TEXT NOT NULL,
  "id" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "person_id" TEXT NOT NULL,
  "manager_id" TEXT NOT NULL,
  "created_at" TEXT NOT NULL,
  "updated_at" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  PRIMARY KEY ("tenant_id", "id")
) WITHOUT ROWID;

CREATE INDEX "employee_person_id_id" ON "employee" ("tenant_id", "person_id", "id");

CREATE INDEX "employee_manager_id_id" ON "employee" ("tenant_id", "manager_id", "id");

CREATE INDEX "employee_created_at_id" ON "employee" ("tenant_id", "created_at", "id");

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'employee';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('employee', 'employee', '1000000 100000 1'), ('employee', 'employee_person_id_id', '1000000 100000 100 1'), ('employee', 'employee_manager_id_id', '1000000 100000 100 1'), ('employee', 'employee_created_at_id', '1000000 100000 100 1');

ANALYZE sqlite_schema;

CREATE TABLE "expense" (
  "tenant_id" TEXT NOT NULL,
  "id" TEXT NOT NULL,
  "amount" DECIMAL(15,4) NOT NULL CHECK ("amount" >= 0),
  "spender_id" TEXT NOT NULL,
  "approver_id" TEXT NOT NULL,
  "state" TEXT NOT NULL CHECK ("state" IN ('open', 'approved')),
  "created_at" TEXT NOT NULL,
  "updated_at" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  PRIMARY KEY ("tenant_id", "id")
) WITHOUT ROWID;

CREATE INDEX "expense_spender_id_id" ON "expense" ("tenant_id", "spender_id", "id");

CREATE INDEX "expense_approver_id_id" ON "expense" ("tenant_id", "approver_id", "id");

CREATE INDEX "expense_created_at_id" ON "expense" ("tenant_id", "created_at", "id");

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'expense';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('expense', 'expense', '1000000 100000 1'), ('expense', 'expense_spender_id_id', '1000000 100000 100 1'), ('expense', 'expense_approver_id_id', '1000000 100000 100 1'), ('expense', 'expense_created_at_id', '1000000 100000 100 1');

ANALYZE sqlite_schema;

CREATE TABLE "memo" (
  "tenant_id" TEXT NOT NULL,
  "id" TEXT NOT NULL,
  "text" TEXT NOT NULL,
  "owner_id" TEXT,
  "created_at" TEXT NOT NULL,
  "updated_at" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  PRIMARY KEY ("tenant_id", "id")
) WITHOUT ROWID;

CREATE INDEX "memo_owner_id_id" ON "memo" ("tenant_id", "owner_id", "id") WHERE "owner_id" IS NOT NULL;

CREATE INDEX "memo_created_at_id" ON "memo" ("tenant_id", "created_at", "id");

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'memo';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('memo', 'memo', '1000000 100000 1'), ('memo', 'memo_owner_id_id', '1000000 100000 100 1'), ('memo', 'memo_created_at_id', '1000000 100000 100 1');

ANALYZE sqlite_schema;

CREATE TABLE "salary" (
  "tenant_id" TEXT NOT NULL,
  "id" TEXT NOT NULL,
  "employee_id" TEXT NOT NULL,
  "monthly" DECIMAL(15,4) NOT NULL CHECK ("monthly" >= 0),
  "created_at" TEXT NOT NULL,
  "updated_at" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  PRIMARY KEY ("tenant_id", "id"),
  FOREIGN KEY ("tenant_id", "employee_id") REFERENCES "employee" ("tenant_id", "id")
) WITHOUT ROWID;

CREATE UNIQUE INDEX "salary_employee_id" ON "salary" ("tenant_id", "employee_id");

CREATE INDEX "salary_created_at_id" ON "salary" ("tenant_id", "created_at", "id");

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'salary';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('salary', 'salary', '1000000 100000 1'), ('salary', 'salary_employee_id', '1000000 100000 1'), ('salary', 'salary_created_at_id', '1000000 100000 100 1');

ANALYZE sqlite_schema;

CREATE TABLE "payslip" (
  "tenant_id" TEXT NOT NULL,
  "id" TEXT NOT NULL,
  "salary_id" TEXT NOT NULL,
  "month" TEXT NOT NULL,
  "created_at" TEXT NOT NULL,
  "updated_at" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  PRIMARY KEY ("tenant_id", "id"),
  FOREIGN KEY ("tenant_id", "salary_id") REFERENCES "salary" ("tenant_id", "id")
) WITHOUT ROWID;

CREATE INDEX "payslip_salary_id_id" ON "payslip" ("tenant_id", "salary_id", "id");

CREATE INDEX "payslip_created_at_id" ON "payslip" ("tenant_id", "created_at", "id");

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'payslip';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('payslip', 'payslip', '1000000 100000 1'), ('payslip', 'payslip_salary_id_id', '1000000 100000 100 1'), ('payslip', 'payslip_created_at_id', '1000000 100000 100 1');

ANALYZE sqlite_schema;

CREATE TABLE "project" (
  "tenant_id" TEXT NOT NULL,
  "id" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "lead_id" TEXT NOT NULL,
  "created_at" TEXT NOT NULL,
  "updated_at" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  PRIMARY KEY ("tenant_id", "id")
) WITHOUT ROWID;

CREATE INDEX "project_lead_id_id" ON "project" ("tenant_id", "lead_id", "id");

CREATE INDEX "project_created_at_id" ON "project" ("tenant_id", "created_at", "id");

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'project';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('project', 'project', '1000000 100000 1'), ('project', 'project_lead_id_id', '1000000 100000 100 1'), ('project', 'project_created_at_id', '1000000 100000 100 1');

ANALYZE sqlite_schema;

CREATE TABLE "task" (
  "tenant_id" TEXT NOT NULL,
  "id" TEXT NOT NULL,
  "project_id" TEXT NOT NULL,
  "title" TEXT NOT NULL,
  "created_at" TEXT NOT NULL,
  "updated_at" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  PRIMARY KEY ("tenant_id", "id"),
  FOREIGN KEY ("tenant_id", "project_id") REFERENCES "project" ("tenant_id", "id")
) WITHOUT ROWID;

CREATE INDEX "task_project_id_id" ON "task" ("tenant_id", "project_id", "id");

CREATE INDEX "task_created_at_id" ON "task" ("tenant_id", "created_at", "id");

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'task';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('task', 'task', '1000000 100000 1'), ('task', 'task_project_id_id', '1000000 100000 100 1'), ('task', 'task_created_at_id', '1000000 100000 100 1');

ANALYZE sqlite_schema;

CREATE TABLE "remark" (
  "tenant_id" TEXT NOT NULL,
  "id" TEXT NOT NULL,
  "task_id" TEXT NOT NULL,
  "text" TEXT NOT NULL,
  "paper_id" TEXT,
  "created_at" TEXT NOT NULL,
  "updated_at" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  PRIMARY KEY ("tenant_id", "id"),
  FOREIGN KEY ("tenant_id", "task_id") REFERENCES "task" ("tenant_id", "id"),
  FOREIGN KEY ("tenant_id", "paper_id") REFERENCES "file" ("tenant_id", "id")
) WITHOUT ROWID;

CREATE INDEX "remark_task_id_id" ON "remark" ("tenant_id", "task_id", "id");

CREATE INDEX "remark_paper_id_id" ON "remark" ("tenant_id", "paper_id", "id") WHERE "paper_id" IS NOT NULL;

CREATE INDEX "remark_created_at_id" ON "remark" ("tenant_id", "created_at", "id");

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'remark';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('remark', 'remark', '1000000 100000 1'), ('remark', 'remark_task_id_id', '1000000 100000 100 1'), ('remark', 'remark_paper_id_id', '1000000 100000 100 1'), ('remark', 'remark_created_at_id', '1000000 100000 100 1');

ANALYZE sqlite_schema;

CREATE TABLE "shift" (
  "tenant_id" TEXT NOT NULL,
  "id" TEXT NOT NULL,
  "title" TEXT NOT NULL,
  "crew_id" TEXT NOT NULL,
  "created_at" TEXT NOT NULL,
  "updated_at" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  PRIMARY KEY ("tenant_id", "id"),
  FOREIGN KEY ("tenant_id", "crew_id") REFERENCES "crew" ("tenant_id", "id")
) WITHOUT ROWID;

CREATE INDEX "shift_crew_id_id" ON "shift" ("tenant_id", "crew_id", "id");

CREATE INDEX "shift_created_at_id" ON "shift" ("tenant_id", "created_at", "id");

ANALYZE sqlite_schema;

DELETE FROM sqlite_stat1 WHERE tbl = 'shift';

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('shift', 'shift', '1000000 100000 1'), ('shift', 'shift_crew_id_id', '1000000 100000 100 1'), ('shift', 'shift_created_at_id', '1000000 100000 100 1');

ANALYZE sqlite_schema;

-- postgres

CREATE TABLE "article" (
  "tenant_id" text COLLATE "C" NOT NULL,
  "id" uuid NOT NULL,
  "title" text COLLATE "C" NOT NULL,
  "author_id" uuid NOT NULL,
  "state" text COLLATE "C" NOT NULL CONSTRAINT "article_state_check" CHECK ("state" IN ('draft', 'published')),
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "version" bigint NOT NULL,
  PRIMARY KEY ("tenant_id", "id")
);

CREATE INDEX "article_author_id_id" ON "article" ("tenant_id", "author_id", "id");

CREATE INDEX "article_state_id" ON "article" ("tenant_id", "state", "id");

CREATE TABLE "crew" (
  "tenant_id" text COLLATE "C" NOT NULL,
  "id" uuid NOT NULL,
  "name" text COLLATE "C" NOT NULL,
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "version" bigint NOT NULL,
  PRIMARY KEY ("tenant_id", "id")
);

CREATE INDEX "crew_created_at_id" ON "crew" ("tenant_id", "created_at", "id");

CREATE TABLE "crew_member" (
  "tenant_id" text COLLATE "C" NOT NULL,
  "id" uuid NOT NULL,
  "crew_id" uuid NOT NULL,
  "member_id" uuid NOT NULL,
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "version" bigint NOT NULL,
  PRIMARY KEY ("tenant_id", "id"),
  CONSTRAINT "crew_member_crew_id_fkey" FOREIGN KEY ("tenant_id", "crew_id") REFERENCES "crew" ("tenant_id", "id")
);

CREATE INDEX "crew_member_crew_id_id" ON "crew_member" ("tenant_id", "crew_id", "id");

CREATE UNIQUE INDEX "crew_member_member_id_crew_id" ON "crew_member" ("tenant_id", "member_id", "crew_id");

CREATE INDEX "crew_member_created_at_id" ON "crew_member" ("tenant_id", "created_at", "id");

CREATE TABLE "device" (
  "tenant_id" text COLLATE "C" NOT NULL,
  "id" uuid NOT NULL,
  "name" text COLLATE "C" NOT NULL,
  "serial" text COLLATE "C" NOT NULL,
  "pin" text COLLATE "C",
  "value" numeric(15,4) NOT NULL CONSTRAINT "device_value_check" CHECK ("value" >= 0),
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "version" bigint NOT NULL,
  PRIMARY KEY ("tenant_id", "id")
);

CREATE INDEX "device_created_at_id" ON "device" ("tenant_id", "created_at", "id");

CREATE TABLE "employee" (
  "tenant_id" text COLLATE "C" NOT NULL,
  "id" uuid NOT NULL,
  "name" text COLLATE "C" NOT NULL,
  "person_id" uuid NOT NULL,
  "manager_id" uuid NOT NULL,
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "version" bigint NOT NULL,
  PRIMARY KEY ("tenant_id", "id")
);

CREATE INDEX "employee_person_id_id" ON "employee" ("tenant_id", "person_id", "id");

CREATE INDEX "employee_manager_id_id" ON "employee" ("tenant_id", "manager_id", "id");

CREATE INDEX "employee_created_at_id" ON "employee" ("tenant_id", "created_at", "id");

CREATE TABLE "expense" (
  "tenant_id" text COLLATE "C" NOT NULL,
  "id" uuid NOT NULL,
  "amount" numeric(15,4) NOT NULL CONSTRAINT "expense_amount_check" CHECK ("amount" >= 0),
  "spender_id" uuid NOT NULL,
  "approver_id" uuid NOT NULL,
  "state" text COLLATE "C" NOT NULL CONSTRAINT "expense_state_check" CHECK ("state" IN ('open', 'approved')),
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "version" bigint NOT NULL,
  PRIMARY KEY ("tenant_id", "id")
);

CREATE INDEX "expense_spender_id_id" ON "expense" ("tenant_id", "spender_id", "id");

CREATE INDEX "expense_approver_id_id" ON "expense" ("tenant_id", "approver_id", "id");

CREATE INDEX "expense_created_at_id" ON "expense" ("tenant_id", "created_at", "id");

CREATE TABLE "memo" (
  "tenant_id" text COLLATE "C" NOT NULL,
  "id" uuid NOT NULL,
  "text" text COLLATE "C" NOT NULL,
  "owner_id" uuid,
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "version" bigint NOT NULL,
  PRIMARY KEY ("tenant_id", "id")
);

CREATE INDEX "memo_owner_id_id" ON "memo" ("tenant_id", "owner_id", "id") WHERE "owner_id" IS NOT NULL;

CREATE INDEX "memo_created_at_id" ON "memo" ("tenant_id", "created_at", "id");

CREATE TABLE "salary" (
  "tenant_id" text COLLATE "C" NOT NULL,
  "id" uuid NOT NULL,
  "employee_id" uuid NOT NULL,
  "monthly" numeric(15,4) NOT NULL CONSTRAINT "salary_monthly_check" CHECK ("monthly" >= 0),
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "version" bigint NOT NULL,
  PRIMARY KEY ("tenant_id", "id"),
  CONSTRAINT "salary_employee_id_fkey" FOREIGN KEY ("tenant_id", "employee_id") REFERENCES "employee" ("tenant_id", "id")
);

CREATE UNIQUE INDEX "salary_employee_id" ON "salary" ("tenant_id", "employee_id");

CREATE INDEX "salary_created_at_id" ON "salary" ("tenant_id", "created_at", "id");

CREATE TABLE "payslip" (
  "tenant_id" text COLLATE "C" NOT NULL,
  "id" uuid NOT NULL,
  "salary_id" uuid NOT NULL,
  "month" text COLLATE "C" NOT NULL,
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "version" bigint NOT NULL,
  PRIMARY KEY ("tenant_id", "id"),
  CONSTRAINT "payslip_salary_id_fkey" FOREIGN KEY ("tenant_id", "salary_id") REFERENCES "salary" ("tenant_id", "id")
);

CREATE INDEX "payslip_salary_id_id" ON "payslip" ("tenant_id", "salary_id", "id");

CREATE INDEX "payslip_created_at_id" ON "payslip" ("tenant_id", "created_at", "id");

CREATE TABLE "project" (
  "tenant_id" text COLLATE "C" NOT NULL,
  "id" uuid NOT NULL,
  "name" text COLLATE "C" NOT NULL,
  "lead_id" uuid NOT NULL,
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "version" bigint NOT NULL,
  PRIMARY KEY ("tenant_id", "id")
);

CREATE INDEX "project_lead_id_id" ON "project" ("tenant_id", "lead_id", "id");

CREATE INDEX "project_created_at_id" ON "project" ("tenant_id", "created_at", "id");

CREATE TABLE "task" (
  "tenant_id" text COLLATE "C" NOT NULL,
  "id" uuid NOT NULL,
  "project_id" uuid NOT NULL,
  "title" text COLLATE "C" NOT NULL,
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "version" bigint NOT NULL,
  PRIMARY KEY ("tenant_id", "id"),
  CONSTRAINT "task_project_id_fkey" FOREIGN KEY ("tenant_id", "project_id") REFERENCES "project" ("tenant_id", "id")
);

CREATE INDEX "task_project_id_id" ON "task" ("tenant_id", "project_id", "id");

CREATE INDEX "task_created_at_id" ON "task" ("tenant_id", "created_at", "id");

CREATE TABLE "remark" (
  "tenant_id" text COLLATE "C" NOT NULL,
  "id" uuid NOT NULL,
  "task_id" uuid NOT NULL,
  "text" text COLLATE "C" NOT NULL,
  "paper_id" uuid,
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "version" bigint NOT NULL,
  PRIMARY KEY ("tenant_id", "id"),
  CONSTRAINT "remark_task_id_fkey" FOREIGN KEY ("tenant_id", "task_id") REFERENCES "task" ("tenant_id", "id"),
  CONSTRAINT "remark_paper_id_fkey" FOREIGN KEY ("tenant_id", "paper_id") REFERENCES "file" ("tenant_id", "id")
);

CREATE INDEX "remark_task_id_id" ON "remark" ("tenant_id", "task_id", "id");

CREATE INDEX "remark_paper_id_id" ON "remark" ("tenant_id", "paper_id", "id") WHERE "paper_id" IS NOT NULL;

CREATE INDEX "remark_created_at_id" ON "remark" ("tenant_id", "created_at", "id");

CREATE TABLE "shift" (
  "tenant_id" text COLLATE "C" NOT NULL,
  "id" uuid NOT NULL,
  "title" text COLLATE "C" NOT NULL,
  "crew_id" uuid NOT NULL,
  "created_at" timestamptz NOT NULL,
  "updated_at" timestamptz NOT NULL,
  "version" bigint NOT NULL,
  PRIMARY KEY ("tenant_id", "id"),
  CONSTRAINT "shift_crew_id_fkey" FOREIGN KEY ("tenant_id", "crew_id") REFERENCES "crew" ("tenant_id", "id")
);

CREATE INDEX "shift_crew_id_id" ON "shift" ("tenant_id", "crew_id", "id");

CREATE INDEX "shift_created_at_id" ON "shift" ("tenant_id", "created_at", "id");
