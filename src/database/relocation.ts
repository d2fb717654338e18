/**
 * The tables and the function with which a tenant is moved to another database while it is in use. Triggers log rows
 * that change during the copy. The tables have no `tenant_id`, so that a move does not copy them.
 */

import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Executor, tenantMovedMessage } from './executor.ts'
import type { Migration } from './migration.ts'
import { tenantMovedState } from './postgres/failure.ts'
import { placeholders } from './sql-text.ts'
import { tenantLocks } from './tenant-lock.ts'

export const moveMigration: Migration = {
  name: 'tenant-0003',
  database: 'tenant',
  statements: (t, dialect) => [
    // In the source: rows that have changed since the copy began.
    `CREATE TABLE move_log (
      seq ${dialect === 'sqlite' ? 'INTEGER PRIMARY KEY AUTOINCREMENT' : 'bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY'},
      tenant ${t.key} NOT NULL,
      relation ${t.text} NOT NULL,
      key ${t.text} NOT NULL
    )`,
    'CREATE INDEX move_log_tenant ON move_log (tenant, seq)',
    // In the source: tenants that were moved. Their rows are no longer written.
    `CREATE TABLE move_fence (tenant ${t.key} PRIMARY KEY, set_at ${t.timestamp} NOT NULL)`,
    // In the target: the progress of the copy.
    `CREATE TABLE move_arrival (tenant ${t.key} PRIMARY KEY, move ${t.text} NOT NULL, place ${t.text} NOT NULL)`,
    ...(dialect === 'postgres' ? [noteChange] : []),
  ],
}

/**
 * The trigger that logs changes. Its arguments: the tenant; `open` for a table that accepts writes after the fence,
 * else `closed`; the key columns. Each writer shares the lock until its transaction ends; a move takes it
 * exclusively.
 */
const noteChange = `CREATE FUNCTION move_note() RETURNS trigger LANGUAGE plpgsql AS $body$
DECLARE
  before text;
  after text;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(${tenantLocks.writes}, hashtext(TG_ARGV[0]));
  IF EXISTS (SELECT 1 FROM move_fence WHERE tenant = TG_ARGV[0]) THEN
    IF TG_ARGV[1] = 'open' THEN RETURN NULL; END IF;
    RAISE EXCEPTION '${tenantMovedMessage}' USING ERRCODE = '${tenantMovedState}';
  END IF;
  IF TG_OP <> 'INSERT' THEN
    SELECT coalesce(jsonb_agg(to_jsonb(OLD) -> name ORDER BY place), '[]') INTO before
      FROM unnest(TG_ARGV[2:]) WITH ORDINALITY AS given (name, place);
    INSERT INTO move_log (tenant, relation, key) VALUES (TG_ARGV[0], TG_TABLE_NAME, before);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    SELECT coalesce(jsonb_agg(to_jsonb(NEW) -> name ORDER BY place), '[]') INTO after
      FROM unnest(TG_ARGV[2:]) WITH ORDINALITY AS given (name, place);
    IF after IS DISTINCT FROM before THEN
      INSERT INTO move_log (tenant, relation, key) VALUES (TG_ARGV[0], TG_TABLE_NAME, after);
    END IF;
  END IF;
  RETURN NULL;
END $body$`

/** Whether a move is copying the tenant to this database, or has left a partial copy. @param key the case-folded id */
export async function isMoveTarget(executor: Executor, key: string): Promise<boolean> {
  const query = `SELECT 1 FROM move_arrival WHERE lower(tenant) = ${placeholders(executor.dialect)(1)}`
  return (await executor.run(query, [key], true)).rows.length > 0
}

/**
 * A condition in the catalogue: the rows of the tenant are in the same database as the catalogue, and no move of
 * them has begun. A move adds triggers to the tables, and for this waits until transactions end that have seen the
 * condition true.
 */
export function isServedHere(tenantId: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select 1 from tenant where id = ${tenantId} and connection_string is null
    and not exists (select 1 from tenant_move where tenant_key = tenant.id_key))`
}
