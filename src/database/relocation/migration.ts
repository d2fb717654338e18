/** What a move of a tenant keeps in both databases. Their column is no `tenant_id`: they are not moved themselves. */

import { tenantElsewhere } from '../executor.ts'
import type { Migration } from '../migration.ts'
import { elsewhereState } from '../postgres/failure.ts'
import { moveLock } from './lock.ts'

export const moveMigration: Migration = {
  name: 'tenant-0003',
  database: 'tenant',
  statements: (t, dialect) => [
    // In the source: which rows have changed since the copying began.
    `CREATE TABLE move_log (
      seq ${dialect === 'sqlite' ? 'INTEGER PRIMARY KEY AUTOINCREMENT' : 'bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY'},
      tenant ${t.key} NOT NULL,
      relation ${t.text} NOT NULL,
      key ${t.text} NOT NULL
    )`,
    'CREATE INDEX move_log_tenant ON move_log (tenant, seq)',
    // In the source: the tenant has left, and nothing of it is written any more.
    `CREATE TABLE move_fence (tenant ${t.key} PRIMARY KEY, set_at ${t.timestamp} NOT NULL)`,
    // In the target: how far the copying has come.
    `CREATE TABLE move_arrival (tenant ${t.key} PRIMARY KEY, move ${t.text} NOT NULL, place ${t.text} NOT NULL)`,
    ...(dialect === 'postgres' ? [noteChange] : []),
  ],
}

/**
 * Arguments: the tenant; `open` for a table that is written after the fence as well, or `closed`; the columns of the
 * key. The lock is shared by all who write, until their transactions end; who moves the tenant takes it alone.
 */
const noteChange = `CREATE FUNCTION move_note() RETURNS trigger LANGUAGE plpgsql AS $body$
DECLARE
  before text;
  after text;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(${moveLock}, hashtext(TG_ARGV[0]));
  IF EXISTS (SELECT 1 FROM move_fence WHERE tenant = TG_ARGV[0]) THEN
    IF TG_ARGV[1] = 'open' THEN RETURN NULL; END IF;
    RAISE EXCEPTION '${tenantElsewhere}' USING ERRCODE = '${elsewhereState}';
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
