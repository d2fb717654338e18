/**
 * Writes statistics for the planner of SQLite. Without them SQLite assumes that a tenant has ten rows, and reads
 * them by the primary key instead of an index. PostgreSQL collects statistics itself.
 * @param figures by index: the rows of a large table, then how many share the first column, the first two, and so on
 *   (https://www.sqlite.org/fileformat2.html#stat1tab). The name of a table WITHOUT ROWID stands for its primary
 *   key.
 * @returns statements of a migration
 */
export function sqliteStatistics(table: string, figures: Readonly<Record<string, string>>): string[] {
  const rows = Object.entries(figures).map(([index, stat]) => `('${table}', '${index}', '${stat}')`)
  return [
    'ANALYZE sqlite_schema', // creates the table
    `DELETE FROM sqlite_stat1 WHERE tbl = '${table}'`,
    `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ${rows.join(', ')}`,
    'ANALYZE sqlite_schema', // reads it
  ]
}
