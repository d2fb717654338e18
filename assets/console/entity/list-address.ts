/**
 * The state of a list, which is in its address: filters, search, sort, columns, view, layout, and the previewed row.
 */
import { useEffect } from 'preact/hooks'
import type { EntityDescription } from '../describe.ts'
import { goTo, hrefOf, usePlace } from '../router.ts'
import {
  changeParameters,
  filtersIn,
  type ListFilter,
  type ParameterChanges,
  type UselessFilter,
  uselessFilters,
} from './filter.ts'
import { rememberList } from './last-list.ts'
import { queryOf } from './list-state.ts'

export interface ListAddress {
  query: URLSearchParams
  filters: readonly ListFilter[]
  useless: readonly UselessFilter[]
  search: string
  isFiltered: boolean
  /** The parameters of the request for the list. */
  request: Readonly<Record<string, string>>
  /** @param keepsPage whether the list stays at its page; otherwise it starts at the first page */
  show: (changes: ParameterChanges, options?: { keepsPage?: boolean; replaces?: boolean }) => void
  peeked: string | null
  peek: (id: string | null) => void
}

export function useListAddress(entity: EntityDescription): ListAddress {
  const { query } = usePlace()
  useEffect(() => rememberList(entity.name, query), [entity.name, query])
  const filters = filtersIn(entity, query)
  const search = query.get('search') ?? ''
  const peeked = query.get('peek')
  const show: ListAddress['show'] = (changes, { keepsPage = false, replaces = false } = {}) => {
    const next = new URLSearchParams(location.search)
    if (!keepsPage) next.delete('cursor')
    changeParameters(next, changes)
    goTo(hrefOf(`/entities/${entity.name}`, Object.fromEntries(next)), { replaces })
  }
  return {
    query,
    filters,
    useless: uselessFilters(entity, query),
    search,
    isFiltered: filters.length > 0 || search !== '',
    request: queryOf(entity, query, filters),
    show,
    peeked,
    // The browser's button Back closes the panel with one step, however many rows were previewed.
    peek: (id) => show({ peek: id }, { keepsPage: true, replaces: peeked !== null }),
  }
}
