/** Rows under the value that they have in common. */
import type { FieldDescription, Row } from '../describe.ts'

export interface GroupHeading {
  key: string
  field: FieldDescription
  value: unknown
  /** How many rows of the page it has. */
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

/** Fields that rows are grouped by. */
export function isGrouping({ kind, entity }: FieldDescription): boolean {
  return kind === 'enum' || kind === 'boolean' || (kind === 'reference' && entity !== 'file')
}

/** What is grouped stands together. */
export function groupedSort(sort: string | undefined, { name }: FieldDescription): string {
  const others = (sort ?? '').split(',').filter((each) => each !== '' && each.replace(/^-/, '') !== name)
  return [name, ...others].join(',')
}
