/** How a list was shown last: the way back from a row leads there. */
import { hrefOf } from '../router.ts'

const key = (entity: string) => `tenantry.list.${entity}`

/** @param query of its address */
export function rememberList(entity: string, query: URLSearchParams): void {
  const kept = new URLSearchParams(query)
  kept.delete('peek')
  sessionStorage.setItem(key(entity), kept.toString())
}

export function lastListHref(entity: string): string {
  const query = new URLSearchParams(sessionStorage.getItem(key(entity)) ?? '')
  return hrefOf(`/entities/${entity}`, Object.fromEntries(query))
}
