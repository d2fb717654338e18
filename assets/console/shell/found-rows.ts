/** Searches the rows of all entities, or of one, for the typed text. */
import { useEffect, useState } from 'preact/hooks'
import { get } from '../api.ts'

export interface FoundRows {
  found: readonly {
    entity: string
    total: number
    isCapped: boolean
    /** `member` names the member of the row that matches, and `excerpt` is its value or the part around the match. */
    hits: readonly { id: string; title: string; member: string; excerpt: string }[]
  }[]
  /** Entities whose search took too long. */
  leftOut: readonly string[]
}

interface Search {
  /** The entity and the words that were searched for; '' before the first search. */
  key: string
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
  const [search, setSearch] = useState<Search>({ key: '', rows: none })
  const words = typed.trim().slice(0, maxTyped)
  const key = `${entity ?? ''} ${words}`
  useEffect(() => {
    if (words === '') return
    const abort = new AbortController()
    const ask = () => {
      const query = { q: words, ...(entity !== null && { entity, limit: `${hitsOfOne}` }) }
      get<FoundRows>('/api/search', { query, signal: abort.signal }).then(
        (rows) => setSearch({ key, rows }),
        () => abort.signal.aborted || setSearch({ key, rows: none }),
      )
    }
    const timer = setTimeout(ask, settleMs)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [words, entity, key])
  if (words === '') return { ...none, isSearching: false }
  return { ...search.rows, isSearching: search.key !== key }
}
