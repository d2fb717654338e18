/** The order of a list, as both databases sort. */

/** A member of a row, or of one that it refers to, read by its name. */
interface SortedBy {
  name: string
  descending: boolean
}

type Ordered = { id: string } | Record<string, unknown>

/**
 * Nulls first, text by its bytes, then by id in the direction of the last member. A member that is named again sorts
 * nothing.
 * @param cellOf the value of a member; by default that of the row itself
 */
export function comparing<R extends Ordered, K extends SortedBy>(
  keys: readonly K[],
  cellOf = (row: R, { name }: K): unknown => (row as Record<string, unknown>)[name], // by the names of members
  nameOf = ({ name }: K): string => name,
): (one: R, other: R) => number {
  const names = keys.map(nameOf)
  const distinct = keys.filter((_key, index) => names.indexOf(names[index] ?? '') === index)
  return (one, other) => {
    for (const key of distinct) {
      const order = compareValues(cellOf(one, key), cellOf(other, key))
      if (order !== 0) return key.descending ? -order : order
    }
    const order = compareValues(one['id' as keyof R], other['id' as keyof R])
    return distinct.at(-1)?.descending === true ? -order : order
  }
}

function compareValues(one: unknown, other: unknown): number {
  if (one === other) return 0
  if (one === null || other === null) return one === null ? -1 : 1
  if (typeof one === 'string') return Buffer.compare(Buffer.from(one), Buffer.from(String(other)))
  return Number(one) - Number(other)
}
