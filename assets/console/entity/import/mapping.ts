/** Which member each column of a file is: by its name, or by what it is called, unless the user says otherwise. */
import { allFields, type EntityDescription, labelOf } from '../../describe.ts'

/** Members by the names of columns; an empty one leaves the column out. */
export type ChosenMembers = Readonly<Record<string, string>>

/** @returns the member of each column; `null` for none */
export function membersOf(
  entity: EntityDescription,
  columns: readonly string[],
  chosen: ChosenMembers,
): (string | null)[] {
  const known = allFields(entity)
  const names = new Set(['id', ...known.map(({ name }) => name)])
  const byKey = new Map<string, string>()
  for (const field of known)
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

/** What people write differently is left out of it: case, accents, spaces and signs. */
export function keyOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}
