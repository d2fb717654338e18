/** Merges the changes of two who began from the same version (three-way merge, member by member). */
export interface Merge<V> {
  /** What is stored, with the changes of yours that are of other members than theirs. */
  values: V
  /** The members that both have changed, and not to the same value. */
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

/** What a request changes that leaves other members as they are. @returns the members that differ from `base` */
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

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
