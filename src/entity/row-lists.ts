/** The lists of a row, whose rows are in tables of their own. */
import type { TenantData } from '../database/data.ts'
import type { Child, Shape } from './definition.ts'
import { requireReferences } from './reference.ts'
import { columnsOf, fromColumns, type StoredRow, type Values } from './row.ts'
import { withoutFiles } from './row-files.ts'
import type { Columns, RowStatements } from './sql.ts'

/** @returns the row with its lists */
export async function withLists(
  data: TenantData,
  shape: Shape,
  { lists: statements }: RowStatements,
  columns: Columns,
): Promise<StoredRow> {
  const lists = new Map<Child, Columns[]>()
  for (const [child, { all }] of statements) lists.set(child, await all(data, String(columns['id'])))
  return fromColumns(shape, columns, lists)
}

/**
 * Writes the lists that differ from those of the row before. @throws ServiceError `invalid` for a reference to no row
 */
export async function writeLists(
  data: TenantData,
  { lists }: RowStatements,
  row: StoredRow,
  before: Values | null,
): Promise<void> {
  const differing = [...lists].filter(([{ name }]) => before === null || row[name] !== before[name])
  if (before !== null) for (const [, { remove }] of differing) await remove(data, row.id)
  for (const [child, { insert }] of differing) {
    const rows = row[child.name] as Values[] // a list by its schema
    await requireReferences(data, { ...child, members: withoutFiles(child.members) }, rows)
    await insert(
      data,
      row.id,
      rows.map((each) => columnsOf(child.members, each)),
    )
  }
}
