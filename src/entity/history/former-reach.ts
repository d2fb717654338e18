/** Decides whether a caller may read former rows: by the present row rules, and the values that the rows had. */
import type { TenantData } from '../../database/data.ts'
import { readsStated, type StatedColumn, type StatedRow } from '../../database/row-state.ts'
import type { Names, Shape } from '../definition.ts'
import type { StoredRow } from '../row.ts'
import { ruledTypeOf } from '../rule-place.ts'

/** @param rows at most a few hundred @returns whether the caller reads each of them */
export async function readsFormer(
  data: TenantData,
  { table }: Pick<Names, 'table'>,
  { members }: Pick<Shape, 'members'>,
  rows: readonly StoredRow[],
): Promise<boolean[]> {
  const { reach } = data // what the rules grant the caller; null for code
  if (reach === null || reach.readsAll(table)) return rows.map(() => true)
  if (!reach.mayReach(table, 'read')) return rows.map(() => false)
  const named = reach.columns(table)
  const compared = members.flatMap((member) => {
    const type = ruledTypeOf(member)
    return type !== null && named.has(member.column) ? [{ ...member, type }] : []
  })
  // No row is readable if a rule compares a column whose former value is not known.
  if (compared.length < named.size) return rows.map(() => false)
  // The statement gets these values as parameters, because the table no longer has them.
  const stated = rows.map((row): StatedRow => {
    const columns = compared.map(({ name, column, type }): [string, StatedColumn] => {
      const value = row[name]
      return [column, { type, value: typeof value === 'string' ? value : null }]
    })
    return new Map(columns)
  })
  return readsStated(data, reach, { table, rows: stated })
}
