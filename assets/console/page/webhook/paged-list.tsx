/** A list that the service pages: its filters and its place are in the address. */
import { nextCursor, request } from '../../api.ts'
import { type Loaded, useLoaded } from '../../load.ts'
import { goTo, hrefOf, usePlace } from '../../router.ts'
import { text } from '../../text/text.ts'

export interface PagedList<T> {
  rows: Loaded<readonly T[]>
  next: string | null
  /** `null` removes a filter; the first page follows. */
  show: (changes: Readonly<Record<string, string | null>>) => void
  isFiltered: boolean
}

/** @param filters names of the parameters of the endpoint that may be in the address */
export function usePagedList<T>(path: string, filters: readonly string[]): PagedList<T> {
  const place = usePlace()
  const given = [...filters, 'cursor'].flatMap((name) => {
    const value = place.query.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  const { data, ...loaded } = useLoaded(
    `${path}?${new URLSearchParams(given.map((each) => [...each]))}`,
    (signal) =>
      request<readonly T[]>('GET', path, { query: { limit: '25', ...Object.fromEntries(given) }, signal }),
  )
  const show = (changes: Readonly<Record<string, string | null>>) => {
    const next = new Map(given.filter(([name]) => name !== 'cursor'))
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) next.delete(name)
      else next.set(name, value)
    }
    goTo(hrefOf(place.path, Object.fromEntries(next)))
  }
  return {
    rows: { ...loaded, data: data?.body ?? null },
    next: data === null ? null : nextCursor(data.headers),
    show,
    isFiltered: given.length > 0,
  }
}

export function Pager<T>({ list: { next, show }, label }: { list: PagedList<T>; label: string }) {
  const { query } = usePlace()
  if (next === null && !query.has('cursor')) return null
  return (
    <nav class="row" aria-label={label}>
      {query.has('cursor') && (
        <button type="button" onClick={() => show({})}>
          {text.action.first}
        </button>
      )}
      {next !== null && (
        <button type="button" onClick={() => show({ cursor: next })}>
          {text.action.next}
        </button>
      )}
    </nav>
  )
}
