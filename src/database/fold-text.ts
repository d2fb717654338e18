/**
 * Folds text for comparison without case, alike on both databases: composed (NFC) and in lower case. Upper case maps `ß`
 * to `SS`; the final sigma is the only letter that lower case maps to two.
 */
export function foldText(text: string): string {
  return text.normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}

/** The name of the same function in SQL. */
export const foldFunction = 'fold_text'

/**
 * Creates the function on PostgreSQL. From version 18 it has the full case mapping of Unicode; before, that of the
 * database's collation.
 */
export const createFoldFunction = `DO $do$ BEGIN
  IF current_setting('server_version_num')::integer >= 180000 AND current_setting('server_encoding') = 'UTF8' THEN
    CREATE FUNCTION ${foldFunction}(value text) RETURNS text IMMUTABLE STRICT PARALLEL SAFE LANGUAGE sql AS
      $body$ SELECT replace(lower(upper(normalize(value, NFC) COLLATE pg_catalog.pg_unicode_fast)), 'ς', 'σ') $body$;
  ELSE
    CREATE FUNCTION ${foldFunction}(value text) RETURNS text IMMUTABLE STRICT PARALLEL SAFE LANGUAGE sql AS
      $body$ SELECT replace(lower(upper(value COLLATE pg_catalog."default")), 'ς', 'σ') $body$;
  END IF;
END $do$`
