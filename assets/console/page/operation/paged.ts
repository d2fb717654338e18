/** A list that is read page by page: further pages are put below. */
import { useEffect, useState } from 'preact/hooks'
import { nextCursor, request } from '../../api.ts'
import { type Loaded, useLoaded } from '../../load.ts'

export interface Paged<T> extends Loaded<readonly T[]> {
  /** `null` on the last page. */
  more: (() => Promise<void>) | null
}

interface Page<T> {
  rows: readonly T[]
  next: string | null
}

type Query = Readonly<Record<string, string | undefined>>

export function usePaged<T>(path: string, query: Query): Paged<T> {
  const key = `${path} ${JSON.stringify(query)}`
  const first = useLoaded(key, (signal) => loadPage<T>(path, query, undefined, signal))
  const [further, setFurther] = useState<Page<T> | null>(null)
  useEffect(() => setFurther(null), [first.data])
  const rows = first.data === null ? null : [...first.data.rows, ...(further?.rows ?? [])]
  const next = (further ?? first.data)?.next ?? null
  const more = async (cursor: string) => {
    const page = await loadPage<T>(path, query, cursor)
    setFurther({ rows: [...(further?.rows ?? []), ...page.rows], next: page.next })
  }
  return { ...first, data: rows, more: next === null ? null : () => more(next) }
}

/** @returns every row, for a file */
export async function loadAll<T>(path: string, query: Query): Promise<T[]> {
  const rows: T[] = []
  let cursor: string | undefined
  do {
    const page: Page<T> = await loadPage<T>(path, { ...query, limit: '200' }, cursor)
    rows.push(...page.rows)
    cursor = page.next ?? undefined
  } while (cursor !== undefined)
  return rows
}

async function loadPage<T>(
  path: string,
  query: Query,
  cursor: string | undefined,
  signal?: AbortSignal,
): Promise<Page<T>> {
  const { body, headers } = await request<T[]>('GET', path, {
    query: { limit: '50', ...query, cursor },
    ...(signal !== undefined && { signal }),
  })
  return { rows: body, next: nextCursor(headers) }
}
