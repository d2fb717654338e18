import pg from 'pg'

/** Built-in type OIDs of PostgreSQL (catalog/pg_type.dat). */
const int8 = 20
const date = 1082
const numeric = 1700
const timestamptz = 1184

const parsers = new Map<number, (text: string) => unknown>([
  [int8, Number],
  [date, String],
  [numeric, Number],
  [timestamptz, toIsoTimestamp],
])

/** Reads values as the SQLite driver does: numbers as numbers, timestamps as ISO 8601 text. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' ? parsers.get(oid) : undefined) ?? pg.types.getTypeParser(oid, format),
}

/** `2026-01-02 03:04:05.6+00` (the session's time zone is UTC) → `2026-01-02T03:04:05.600Z` */
function toIsoTimestamp(text: string): string {
  if (!text.endsWith('+00')) return new Date(text).toISOString()
  const fraction = text.slice(20, -3).padEnd(3, '0').slice(0, 3)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`
}
