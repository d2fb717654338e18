/** Groups the rows of a list by their value of a field. */
import type { FieldDescription, Row } from '../describe.ts'

export interface GroupHeading {
  key: string
  field: FieldDescription
  value: unknown
  /** The number of rows of this page in the group. */
  count: number
}

/** @param rows sorted by the member @returns a heading before the rows of each value */
export function groupsOf(rows: readonly Row[], field: FieldDescription): (GroupHeading | Row)[] {
  const groups = Map.groupBy(rows, (row) => row[field.name] ?? null)
  return [...groups].flatMap(([value, members]) => [
    { key: `group ${value}`, field, value, count: members.length },
    ...members,
  ])
}

/** Whether rows can be grouped by the field. */
export function isGrouping({ kind, entity }: FieldDescription): boolean {
  return kind === 'enum' || kind === 'boolean' || (kind === 'reference' && entity !== 'file')
}

/** @returns the sort that puts the rows of a group together; the field keeps its direction in `sort` */
export function groupedSort(sort: string | undefined, { name }: FieldDescription): string {
  const keys = (sort ?? '').split(',').filter((each) => each !== '')
  const own = keys.find((each) => each === name || each === `-${name}`) ?? name
  return [own, ...keys.filter((each) => each !== own)].join(',')
}
