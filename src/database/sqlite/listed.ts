/**
 * Defines the SQL function `is_listed(list, value)`. Statements that look at one row use it, because making a table of
 * the list (`json_each`) would cost more there.
 */
import type { DatabaseSync } from 'node:sqlite'
import { isListed } from '../list-text.ts'
import { LruMap } from '../lru-map.ts'

/** The number of parsed lists that a connection keeps, the most recently used ones. */
const maxLists = 100

export function defineListed(connection: DatabaseSync): void {
  const lists = new LruMap<string, ReadonlySet<unknown>>(maxLists)
  connection.function(isListed, { deterministic: true }, (text, value) => {
    if (typeof text !== 'string') return 0
    let list = lists.get(text)
    if (list === undefined) {
      list = new Set<unknown>(JSON.parse(text) as unknown[]) // as `listText` has written it
      lists.set(text, list)
    }
    return list.has(value) ? 1 : 0
  })
}
