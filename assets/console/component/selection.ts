/** The ticked rows of a list. Only shown rows count, so that nothing happens to a row that the user does not see. */
import { useEffect, useRef, useState } from 'preact/hooks'

export interface Selection<R> {
  /** The ticked rows, in the order of the list. */
  rows: readonly R[]
  has: (id: string) => boolean
  /** Whether there are rows and all are ticked. */
  hasAll: boolean
  choose: (id: string, isChosen: boolean) => void
  /** Ticks the rows from the one that was ticked last, or from another, to this one as well. */
  extendTo: (id: string, from?: string) => void
  chooseAll: (isChosen: boolean) => void
}

interface Ticked {
  listKey: string
  ids: ReadonlySet<string>
}

interface Listed {
  id: string
}

/**
 * @param listKey names the filters, the sort and the page: with another key nothing is ticked at first
 * @param shown the shown rows, the same array until they are loaded again
 */
export function useSelection<R extends Listed>(listKey: string, shown: readonly R[]): Selection<R> {
  const [ticked, setTicked] = useState<Ticked>({ listKey, ids: new Set() })
  // A row that leaves the list and returns is not ticked any more.
  useEffect(() => setTicked((present) => keepShown(present, listKey, shown)), [listKey, shown])
  const { ids } = keepShown(ticked, listKey, shown)
  const tick = (next: Iterable<string>) => setTicked({ listKey, ids: new Set(next) })
  const last = useRef<string | null>(null)
  return {
    rows: shown.filter(({ id }) => ids.has(id)),
    has: (id) => ids.has(id),
    hasAll: shown.length > 0 && ids.size === shown.length,
    choose: (id, isChosen) => {
      last.current = id
      tick(isChosen ? [...ids, id] : [...ids].filter((each) => each !== id))
    },
    extendTo: (id, from = last.current ?? id) => {
      last.current = id
      tick([...ids, ...idsBetween(shown, from, id)])
    },
    chooseAll: (isChosen) => tick(isChosen ? shown.map(({ id }) => id) : []),
  }
}

/** @returns the ids between two rows, including both, in either direction; only `to` if `from` is not shown */
export function idsBetween(shown: readonly Listed[], from: string, to: string): string[] {
  const end = shown.findIndex(({ id }) => id === to)
  const found = shown.findIndex(({ id }) => id === from)
  const start = found === -1 ? end : found
  return shown.slice(Math.min(start, end), Math.max(start, end) + 1).map(({ id }) => id)
}

/** @returns the ticked rows that are shown; `ticked` itself if these are all */
export function keepShown(ticked: Ticked, listKey: string, shown: readonly Listed[]): Ticked {
  if (ticked.listKey !== listKey) return { listKey, ids: new Set() }
  const ids = shown.flatMap(({ id }) => (ticked.ids.has(id) ? [id] : []))
  return ids.length === ticked.ids.size ? ticked : { listKey, ids: new Set(ids) }
}
