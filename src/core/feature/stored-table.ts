/** What rows of tables may have, beyond the types of their columns: an archive with other rows is not imported. */
import type { TSchema } from 'typebox'
import type { Table } from '../../database/table.ts'

/**
 * The schemas of values by table and column: mostly those by which requests give them. Null is not part of them. That of
 * an encrypted column is of the text.
 */
export type ColumnSchemas = Readonly<Record<string, Readonly<Record<string, TSchema>>>>

export interface StoredTables {
  /** Tables that are declared, with the kinds of their columns. */
  tables: readonly Table[]
  columns: ColumnSchemas
}
