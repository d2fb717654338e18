/** What live lists, the search over all entities and the counts on the console's home page read of one entity. */
import type { BrowsedRows } from '../core/feature/browsed.ts'
import { figuresOf } from './figures.ts'
import { liveSource } from './live.ts'
import type { EntityParts } from './parts.ts'
import { searchRows } from './search.ts'
import { titleReader } from './title.ts'

type Parts = Pick<
  EntityParts,
  'names' | 'shape' | 'model' | 'rows' | 'search' | 'access' | 'offered' | 'isLive' | 'actions' | 'hints'
>

/** @returns the sources of live lists, of the search and of the counts */
export function sourcesOf(parts: Parts) {
  return { live: liveSource(parts), browsed: browsedRows(parts) }
}

/** @returns `null` for an entity without the operation `list` */
function browsedRows(parts: Parts): BrowsedRows | null {
  const { names, rows, access, search, offered, shape } = parts
  if (!offered.has('list')) return null
  const title = titleReader(shape.members, parts.hints.title)
  return {
    name: names.name,
    access: access.operations.list,
    isSearched: search.length > 0,
    search: (context, request) => searchRows(context, request, { ...parts, title }),
    titles: async (context, ids) => {
      const found = await rows.findAll(context, ids)
      return new Map([...found].map(([id, row]) => [id, title.of(context, row)]))
    },
    figures: (context, request) => figuresOf(context, request, parts),
  }
}
