/**
 * Loads a built-in list, page by page. The filters and the page are in the address, so that a link shows the same
 * rows.
 */
import { nextCursor, request } from '../api.ts'
import { type Loaded, useLoaded } from '../load.ts'
import { goTo, hrefOf, usePlace } from '../router.ts'

export interface List<T> extends Loaded<readonly T[]> {
  /** The filters that are set, as parameters of the endpoint. */
  query: Query
  /** The number of the first row that is shown, from 1. */
  from: number
  next: string | null
  /** The number of rows of all pages; `null` if it is not counted. */
  total: number | null
  /** Changes filters, where `null` removes one, and begins with the first page. */
  show: (changes: Changes) => void
  showPage: (cursor: string | null) => void
  isFiltered: boolean
}

export type Changes = Readonly<Record<string, string | null>>

type Query = Readonly<Record<string, string>>

interface ListSource {
  /** The path of the endpoint. */
  path: string
  /** The parameters of the endpoint that the address may have. */
  filters?: readonly { name: string; isNoFilter?: true }[] | undefined
  /** Makes the sent parameters from the filters, if they differ. */
  sent?: ((query: Query) => Query) | undefined
  /** Whether the number of all rows is shown. */
  isCounted?: boolean | undefined
}

export const pageSize = 50

export function useList<T>({ path, filters = [], sent, isCounted = false }: ListSource): List<T> {
  const place = usePlace()
  const asked = filters.flatMap(({ name }) => {
    const value = place.query.get(name)
    return value === null || value === '' ? [] : [[name, value] as const]
  })
  const query: Query = Object.fromEntries(asked)
  const cursor = place.query.get('cursor')
  const given = place.query.get('from') ?? ''
  const from = cursor !== null && /^[1-9]\d{0,8}$/.test(given) ? Number(given) : 1
  const { data, ...loaded } = useLoaded(`${path} ${JSON.stringify([query, cursor])}`, (signal) =>
    request<readonly T[]>('GET', path, {
      query: {
        limit: `${pageSize}`,
        ...(sent?.(query) ?? query),
        ...(isCounted && { count: 'true' }),
        ...(cursor !== null && { cursor }),
      },
      signal,
    }),
  )
  const total = data?.headers.get('x-total-count') ?? null
  const show = (changes: Changes) => {
    const next = Object.entries({ ...query, ...changes }).filter(
      (each): each is [string, string] => each[1] !== null && each[1] !== '',
    )
    goTo(hrefOf(place.path, Object.fromEntries(next)))
  }
  return {
    ...loaded,
    data: data?.body ?? null,
    query,
    from,
    next: data === null ? null : nextCursor(data.headers),
    total: total === null ? null : Number(total),
    // A later page without rows, as after deletions, offers the way back to all rows as filters do.
    isFiltered: cursor !== null || filters.some(({ name, isNoFilter }) => name in query && !isNoFilter),
    show,
    showPage: (to) => {
      const size = data?.body.length ?? 0
      goTo(hrefOf(place.path, { ...query, ...(to !== null && { cursor: to, from: `${from + size}` }) }))
    },
  }
}

/** @returns every row, of all pages @throws ApiError */
export async function loadAll<T>(path: string, query: Query): Promise<T[]> {
  const rows: T[] = []
  let cursor: string | null = null
  do {
    const page: { body: T[]; headers: Headers } = await request<T[]>('GET', path, {
      query: { ...query, limit: '200', ...(cursor !== null && { cursor }) },
    })
    rows.push(...page.body)
    cursor = nextCursor(page.headers)
  } while (cursor !== null)
  return rows
}
