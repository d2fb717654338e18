/** Merges the changes of two users who began from the same version of a row (three-way merge, member by member). */
export interface Merge<V> {
  /** The stored values, with your changes to members that they have not changed. */
  values: V
  /** The members that both users have changed, to different values. */
  overlap: readonly string[]
}

/** @param base the version that was loaded @param yours what was typed @param theirs the version that is stored now */
export function mergeChanges<V extends object>(base: V, yours: V, theirs: V): Merge<V> {
  const before = new Map<string, unknown>(Object.entries(base))
  const mine = new Map<string, unknown>(Object.entries(yours))
  const stored = new Map<string, unknown>(Object.entries(theirs))
  const changed = [...new Set([...before.keys(), ...mine.keys()])].filter(
    (name) => !isSame(mine.get(name), before.get(name)) && !isSame(mine.get(name), stored.get(name)),
  )
  const isOverlap = (name: string) => !isSame(stored.get(name), before.get(name))
  return {
    values: withMembers(
      theirs,
      yours,
      changed.filter((name) => !isOverlap(name)),
    ),
    overlap: changed.filter(isOverlap),
  }
}

/** @returns the members that differ from `base`, for a request that changes only these */
export function changedMembers<V extends object>(base: V, values: V): Partial<V> {
  const before = new Map<string, unknown>(Object.entries(base))
  const changed = Object.entries(values).filter(([name, value]) => !isSame(value, before.get(name)))
  return Object.fromEntries(changed) as Partial<V> // some members of `values`
}

/** @returns `values` with the members `names` of `source` */
export function withMembers<V extends object>(values: V, source: V, names: readonly string[]): V {
  const taken = Object.entries(source).filter(([name]) => names.includes(name))
  return { ...values, ...Object.fromEntries(taken) }
}

/** Whether both have the same JSON. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
