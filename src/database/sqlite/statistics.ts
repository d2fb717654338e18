/**
 * Tells SQLite what it would not guess. It assumes that a tenant has ten rows, and reads all of them by the primary key
 * in place of an index. PostgreSQL counts by itself.
 * @param figures by index, where the name of a table WITHOUT ROWID stands for its primary key: rows of a large table, then how many have the first column alike, the first two, and so on
 *   (https://www.sqlite.org/fileformat2.html#stat1tab)
 * @returns statements of a migration
 */
export function sqliteStatistics(table: string, figures: Readonly<Record<string, string>>): string[] {
  const rows = Object.entries(figures).map(([index, stat]) => `('${table}', '${index}', '${stat}')`)
  return [
    'ANALYZE sqlite_schema', // makes the table
    `DELETE FROM sqlite_stat1 WHERE tbl = '${table}'`,
    `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ${rows.join(', ')}`,
    'ANALYZE sqlite_schema', // reads it
  ]
}
