/** Remembers the filters and the sort of the list that was shown last, for the link from a row back to the list. */
import { hrefOf } from '../router.ts'

const key = (entity: string) => `tenantry.list.${entity}`

/** @param query of the list's address */
export function rememberList(entity: string, query: URLSearchParams): void {
  const kept = new URLSearchParams(query)
  kept.delete('peek')
  sessionStorage.setItem(key(entity), kept.toString())
}

export function lastListHref(entity: string): string {
  const query = new URLSearchParams(sessionStorage.getItem(key(entity)) ?? '')
  return hrefOf(`/entities/${entity}`, Object.fromEntries(query))
}
