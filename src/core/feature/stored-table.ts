/**
 * Schemas that rows of tables must match beyond the types of their columns. The import of an archive validates them.
 */
import type { TSchema } from 'typebox'
import type { Table } from '../../database/table.ts'

/**
 * Schemas of values by table and column, mostly those of requests. They do not cover null. The schema of an encrypted
 * column is that of its text.
 */
export type ColumnSchemas = Readonly<Record<string, Readonly<Record<string, TSchema>>>>

/** The facts about all tables that the import of an archive needs. */
export interface StoredTables {
  /** Tables that are declared, with the kinds of their columns. */
  tables: readonly Table[]
  columns: ColumnSchemas
}
