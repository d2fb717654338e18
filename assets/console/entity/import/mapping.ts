/** Maps the columns of a file to members by their names or labels. The user can correct this. */
import { allFields, type EntityDescription, labelOf } from '../../describe.ts'

/** The chosen members by the names of columns; '' leaves the column out. */
export type ChosenMembers = Readonly<Record<string, string>>

/** @returns the member for each column; `null` for a column without one */
export function membersOf(
  entity: EntityDescription,
  columns: readonly string[],
  chosen: ChosenMembers,
): (string | null)[] {
  const fields = allFields(entity)
  const names = new Set(['id', ...fields.map(({ name }) => name)])
  const byKey = new Map<string, string>()
  for (const field of fields)
    for (const called of [field.name, field.relation ?? field.name, labelOf(field)])
      if (!byKey.has(keyOf(called))) byKey.set(keyOf(called), field.name)
  const isChosen = (column: string) => Object.hasOwn(chosen, column)
  const taken = new Set([
    ...Object.values(chosen),
    ...columns.filter((column) => !isChosen(column) && names.has(column)),
  ])
  return columns.map((column) => {
    if (isChosen(column)) return chosen[column] || null
    if (names.has(column)) return column
    const name = byKey.get(keyOf(column))
    if (name === undefined || taken.has(name)) return null
    taken.add(name)
    return name
  })
}

/** @returns the name without anything that people write differently: case, accents, spaces and signs */
export function keyOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}
