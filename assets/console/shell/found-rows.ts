/** Searches the rows of all entities, or of one, for the typed text. */
import { useEffect, useState } from 'preact/hooks'
import { get } from '../api.ts'

export interface FoundRows {
  found: readonly {
    entity: string
    total: number
    isCapped: boolean
    hits: readonly { id: string; title: string; member: string; excerpt: string }[]
  }[]
  /** Entities whose search took too long. */
  leftOut: readonly string[]
}

interface Search {
  /** The text that the rows match; '' before the first search. */
  typed: string
  rows: FoundRows
}

const none: FoundRows = { found: [], leftOut: [] }
const settleMs = 120
const maxTyped = 200
const hitsOfOne = 20

/**
 * @returns the found rows; during a search, those of the search before
 * @param entity the only one to search in; `null` for all
 */
export function useFoundRows(typed: string, entity: string | null): FoundRows & { isSearching: boolean } {
  const [search, setSearch] = useState<Search>({ typed: '', rows: none })
  const words = typed.trim().slice(0, maxTyped)
  const key = `${entity ?? ''} ${words}`
  useEffect(() => {
    if (words === '') return
    const abort = new AbortController()
    const ask = () => {
      const query = { q: words, ...(entity !== null && { entity, limit: `${hitsOfOne}` }) }
      get<FoundRows>('/api/search', { query, signal: abort.signal }).then(
        (rows) => setSearch({ typed: key, rows }),
        () => abort.signal.aborted || setSearch({ typed: key, rows: none }),
      )
    }
    const timer = setTimeout(ask, settleMs)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [words, entity, key])
  if (words === '') return { ...none, isSearching: false }
  return { ...search.rows, isSearching: search.typed !== key }
}
