/** A place that the user has starred. */
export interface Favourite {
  /** The path below the console, with its query: `/entities/ticket?status=open`. */
  path: string
  label: string
}

/** @returns the valid favourites @param value as stored, perhaps by another version of the console */
export function favouritesIn(value: unknown): Favourite[] {
  if (!Array.isArray(value)) return []
  return value.filter(
    (each): each is Favourite =>
      typeof each === 'object' &&
      each !== null &&
      typeof each.path === 'string' &&
      each.path.startsWith('/') &&
      typeof each.label === 'string',
  )
}

export function moved(favourites: readonly Favourite[], path: string, by: -1 | 1): Favourite[] {
  const from = favourites.findIndex((each) => each.path === path)
  const to = from + by
  const chosen = favourites[from]
  if (chosen === undefined || to < 0 || to >= favourites.length) return [...favourites]
  return favourites.toSpliced(from, 1).toSpliced(to, 0, chosen)
}
