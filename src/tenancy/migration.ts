/** The tables of tenants, of their moves to other databases, and of their own databases. */
import { hostTenantId } from '../core/context.ts'
import { identityMigration } from '../database/database-identity.ts'
import type { Migration } from '../database/migration.ts'
import { moveMigration } from '../database/relocation.ts'

/** The name of the migration with the table of tenants' own databases. */
export const knownDatabaseMigration = 'tenant-0006'

/** SQL for the present moment with milliseconds, as the service writes timestamps. */
const now = { sqlite: "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')", postgres: "date_trunc('milliseconds', now())" }

export const tenantMigrations: Migration[] = [
  {
    name: 'tenant-0001',
    database: 'catalogue',
    statements: (t, dialect) => [
      `CREATE TABLE tenant (
        id ${t.key} NOT NULL UNIQUE,
        id_key ${t.key} PRIMARY KEY,
        name ${t.text} NOT NULL,
        subdomain ${t.key} UNIQUE,
        plan ${t.text},
        connection_string ${t.bytes},
        is_active ${t.boolean} NOT NULL,
        created_at ${t.timestamp} NOT NULL,
        version ${t.integer} NOT NULL
      )`,
      `INSERT INTO tenant (id, id_key, name, is_active, created_at, version)
       VALUES ('${hostTenantId}', '${hostTenantId}', 'Default', true, ${now[dialect]}, 1)`,
    ],
  },
  {
    name: 'tenant-0002',
    database: 'catalogue',
    statements: (t) => [
      `ALTER TABLE tenant ADD COLUMN paused_until ${t.timestamp}`,
      `CREATE TABLE tenant_move (
        tenant_key ${t.key} PRIMARY KEY REFERENCES tenant (id_key),
        id ${t.id} NOT NULL,
        phase ${t.text} NOT NULL,
        source ${t.bytes},
        target ${t.bytes},
        started_at ${t.timestamp} NOT NULL,
        switched_at ${t.timestamp}
      )`,
    ],
  },
  moveMigration,
  {
    name: 'tenant-0004',
    database: 'catalogue',
    statements: (t) => [
      `ALTER TABLE tenant ADD COLUMN erasing_since ${t.timestamp}`,
      `ALTER TABLE tenant ADD COLUMN erased_rows ${t.text}`,
    ],
  },
  identityMigration,
  {
    name: knownDatabaseMigration,
    database: 'catalogue',
    statements: (t) => [
      `CREATE TABLE tenant_database (
        tenant_key ${t.key} PRIMARY KEY REFERENCES tenant (id_key) ON DELETE CASCADE,
        database_id ${t.id},
        generation ${t.integer} NOT NULL
      )`,
    ],
  },
]
